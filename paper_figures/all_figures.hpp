/// The one list of figures. A new figure is a file, a plot script in plot/ and a line in all_figures.cpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attndyn::figures {

struct Request {
  std::string folder; ///< exists
  bool quick = false;
};

struct Drawn {
  std::string stem;       ///< path without extension of the csv, pdf, png and svg written
  std::string refinement; ///< the largest change of any plotted value under refinement, in words
};

struct Figure {
  std::string name, title;
  std::function<Drawn(const Request&)> run;
};

const std::vector<Figure>& all_figures();
/// Throws std::invalid_argument: "figure = foo: must be one of ..., or all".
const Figure& find_figure(std::string_view name);

Figure nad_symmetric();
Figure nad_speed();

} // namespace attndyn::figures
