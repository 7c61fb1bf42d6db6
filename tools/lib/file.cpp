// SPDX-License-Identifier: GPL-2.0
#include "file.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

namespace tools
{

std::optional<std::string> read_file(const std::filesystem::path &path)
{
	std::ifstream file(path, std::ios::binary);

	if (!file)
		return {};
	std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
	if (file.bad())
		return {};
	return text;
}

std::string first_line(const std::filesystem::path &path)
{
	const std::string text = read_file(path).value_or("");

	return text.substr(0, text.find('\n'));
}

void write_file(const std::filesystem::path &path, std::string_view text)
{
	std::filesystem::path draft = path;
	draft += ".new";

	{
		std::ofstream file(draft, std::ios::binary | std::ios::trunc);
		file.write(text.data(), static_cast<std::streamsize>(text.size()));
		file.close();
		if (!file)
			throw std::system_error(errno, std::generic_category(),
						"cannot write " + path.string());
	}
	std::filesystem::rename(draft, path);
}

} // namespace tools
