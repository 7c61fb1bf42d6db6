// SPDX-License-Identifier: GPL-2.0
#include "machine.hpp"

#include "file.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace tools
{
namespace
{

/* The hypervisor's own name; empty where there is none or it cannot be asked. */
std::string hypervisor_signature()
{
#if defined(__x86_64__) || defined(__i386__)
	constexpr unsigned int hypervisor_bit = 1U << 31;
	constexpr unsigned int hypervisor_leaf = 0x40000000;
	unsigned int eax = 0;
	unsigned int ebx = 0;
	unsigned int ecx = 0;
	unsigned int edx = 0;

	if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & hypervisor_bit) == 0)
		return {};

	__cpuid(hypervisor_leaf, eax, ebx, ecx, edx);
	const std::array<unsigned int, 3> words = {ebx, ecx, edx};
	std::array<char, sizeof(words) + 1> name{};
	std::memcpy(name.data(), words.data(), sizeof(words));
	return name.data();
#else
	return first_line("/sys/hypervisor/type");
#endif
}

std::string hypervisor_name(const std::string &signature)
{
	static constexpr std::array<std::array<const char *, 2>, 5> known = {{
		{"TCGTCGTCGTCG", "QEMU, software emulation"},
		{"KVMKVMKVM", "KVM"},
		{"Microsoft Hv", "Hyper-V"},
		{"VMwareVMware", "VMware"},
		{"XenVMMXenVMM", "Xen"},
	}};

	for (const auto &[there, name] : known) {
		if (signature == there)
			return name;
	}
	return signature;
}

std::string cpu_model()
{
	const std::string text = read_file("/proc/cpuinfo").value_or("");
	constexpr std::string_view key = "model name";
	const size_t at = text.find(key);

	if (at == std::string::npos)
		return "unknown";
	const size_t start = text.find_first_not_of(" \t:", at + key.size());
	return text.substr(start, text.find('\n', start) - start);
}

} // namespace

unsigned int count_list(std::string_view list)
{
	unsigned int count = 0;
	const char *at = list.data();
	const char *end = at + list.size();

	while (at < end) {
		unsigned int first = 0;
		auto parsed = std::from_chars(at, end, first);
		unsigned int last = first;

		if (parsed.ec != std::errc())
			return 0;
		if (parsed.ptr < end && *parsed.ptr == '-')
			parsed = std::from_chars(parsed.ptr + 1, end, last);
		if (parsed.ec != std::errc() || last < first)
			return 0;
		count += last - first + 1;
		at = parsed.ptr;
		if (at < end && *at++ != ',')
			return 0;
	}
	return count;
}

std::string kernel_release()
{
	utsname names{};

	return uname(&names) == 0 ? names.release : "unknown";
}

nlohmann::ordered_json machine_description()
{
	const std::string signature = hypervisor_signature();
	const unsigned int nodes = count_list(first_line("/sys/devices/system/node/has_cpu"));
	nlohmann::ordered_json machine;

	machine["cpu"] = cpu_model();
	machine["cores"] = sysconf(_SC_NPROCESSORS_ONLN);
	machine["nodes"] = nodes != 0 ? nodes : 1; /* a kernel without NUMA has no list */
	machine["kernel"] = kernel_release();
	machine["virtualised"] = !signature.empty();
	if (!signature.empty())
		machine["hypervisor"] = hypervisor_name(signature);
	return machine;
}

} // namespace tools
