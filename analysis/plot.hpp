/// Draws a CSV with a gnuplot script, in the one style of all figures, as PDF, PNG and SVG.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace attndyn::analysis {

/// Where the scripts and style.gp are: the environment variable ATTNDYN_PLOT_DIR, else the folder given when
/// the program was built.
std::filesystem::path plot_directory();

/// Writes out_stem.pdf, out_stem.png and out_stem.svg (its folder is created). Each is complete or absent:
/// all three are drawn aside first and then renamed into place. script: a path, or the bare name of a script
/// in plot_directory(). It reads nothing but the CSV, finds these variables, and begins with `load style`
/// once it has set what it wants to differ:
///
///     csv      the data file
///     style    plot_directory()/style.gp: opens the output, defines the colours, lines, CSV format, where()
///     format   pdf, png or svg
///     output   the file to write
///
/// and may set width and height, in cm.
///
/// Throws std::runtime_error with one line if gnuplot is not on PATH, if script, style or CSV is missing, or
/// if gnuplot fails or warns (a column that is not there, a curve without points); nothing is then written.
void plot(const std::filesystem::path& script, const std::filesystem::path& csv,
          const std::filesystem::path& out_stem);

/// The drawing as SVG text, for a page that holds it; writes nothing. The script finds the variables above
/// and those of `text`, (name, value). Throws as plot does.
std::string plot_svg(const std::filesystem::path& script, const std::filesystem::path& csv,
                     const std::vector<std::pair<std::string, std::string>>& text);

} // namespace attndyn::analysis
