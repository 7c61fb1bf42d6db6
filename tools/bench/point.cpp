// SPDX-License-Identifier: GPL-2.0
#include "point.hpp"

namespace bench
{

std::string kind_name(Kind kind)
{
	switch (kind) {
	case Kind::latency:
		return "latency";
	case Kind::load:
		return "load";
	case Kind::kv:
		return "kv";
	case Kind::rpc:
		return "rpc";
	default:
		return "rate";
	}
}

Kind kind_named(const std::string &name)
{
	for (const Kind kind : {Kind::latency, Kind::load, Kind::kv, Kind::rpc})
		if (kind_name(kind) == name)
			return kind;
	return Kind::rate;
}

} // namespace bench
