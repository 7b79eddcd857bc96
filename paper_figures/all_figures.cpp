#include "paper_figures/all_figures.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attndyn::figures {

const std::vector<Figure>& all_figures() {
  static const std::vector<Figure> list{nad_symmetric(), nad_speed()};
  return list;
}

const Figure& find_figure(std::string_view name) {
  std::string names;
  for (const Figure& f : all_figures()) {
    if (f.name == name) return f;
    names += f.name + ", ";
  }
  throw std::invalid_argument(fmt::format("figure = {}: must be one of {}or all", name, names));
}

} // namespace attndyn::figures
