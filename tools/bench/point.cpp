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
	default:
		return "rate";
	}
}

Kind kind_named(const std::string &name)
{
	if (name == "latency")
		return Kind::latency;
	return name == "load" ? Kind::load : Kind::rate;
}

} // namespace bench
