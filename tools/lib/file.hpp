// SPDX-License-Identifier: GPL-2.0
/** @file
 * Whole small files.
 */
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tools
{

/** @return what is in the file; nothing if it cannot be read */
std::optional<std::string> read_file(const std::filesystem::path &path);

/** @return the file's first line without its end; empty if it cannot be read */
std::string first_line(const std::filesystem::path &path);

/**
 * Writes a file as a whole: readers see the old one or the new one.
 * @throws std::system_error naming the file
 */
void write_file(const std::filesystem::path &path, std::string_view text);

} // namespace tools
