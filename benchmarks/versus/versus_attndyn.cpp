// versus_attndyn start FILE n d        writes a seeded uniform start, one token a line
// versus_attndyn reference START OUT beta t   the end state at tolerance 1e-13, checked against a second
// stepper versus_attndyn run START REFERENCE beta t repeats
//     one line a tolerance: program, tolerance, seconds (smallest of the repeats), true error (max |theta -
//     reference|)
#include "lib/initial.hpp"
#include "lib/io.hpp"
#include "lib/models/particles.hpp"
#include "lib/solve.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace {

using namespace attndyn;

Particles<double> model_of(const std::string& start, const char* beta) {
  ParticleParams<double> p;
  p.beta = beta;
  return Particles<double>(p, tokens_from(read_tokens<double>(start), false));
}

Matrix<double> end_state(const Particles<double>& model, double t, const std::string& stepper,
                         double tolerance, bool global) {
  Options<double> o;
  o.stepper = stepper;
  o.tolerance = tolerance;
  o.control_global_error = global;
  const auto s = solve<double>(model, model.start(), 0, {t}, o);
  if (s.why != Stop::reached_end)
    throw std::runtime_error(std::string("ended with ") + name_of(s.why) + " " + s.detail);
  return model.lift(s.x).theta;
}

double distance(const Matrix<double>& a, const Matrix<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) worst = std::max(worst, std::abs(a.data[i] - b.data[i]));
  return worst;
}

void write(const std::string& path, const Matrix<double>& theta) {
  std::string out;
  for (std::size_t j = 0; j < theta.cols; ++j)
    for (std::size_t i = 0; i < theta.rows; ++i)
      out += fmt::format("{}{}", theta(i, j), i + 1 < theta.rows ? "," : "\n");
  write_text(path, out);
}

void run(const std::string& start, const std::string& reference, const char* beta, double t, int repeats) {
  const auto exact = read_tokens<double>(reference);
  for (const bool global : {false, true})
    for (double exponent = 4; exponent <= 12; exponent += 0.5) {
      const double tolerance = std::pow(10, -exponent);
      double best = 1e300, error = 0;
      for (int k = 0; k < repeats; ++k) {
        const auto begin = std::chrono::steady_clock::now();
        const auto end = end_state(model_of(start, beta), t, "", tolerance, global);
        best =
            std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        error = distance(end, exact);
      }
      fmt::print("{} {:.2e} {:.6e} {:.3e}\n", global ? "attndyn-bounded" : "attndyn", tolerance, best, error);
      if (error < 1e-9) break; // well past what is compared
    }
}

} // namespace

int main(int argc, char** argv) {
  try {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "start" && argc == 5) {
      const auto n = std::strtoul(argv[3], nullptr, 10), d = std::strtoul(argv[4], nullptr, 10);
      write(argv[2], uniform_on_sphere<double>({n, d}, 1).theta);
    } else if (what == "reference" && argc == 6) {
      const auto model = model_of(argv[2], argv[4]);
      const double t = std::atof(argv[5]);
      const auto a = end_state(model, t, "dop853", 1e-13, true),
                 b = end_state(model, t, "bulirsch_stoer", 1e-12, true);
      fmt::print("reference: two steppers differ by {:.1e}\n", distance(a, b));
      if (!(distance(a, b) < 1e-11)) throw std::runtime_error("no reference: the two steppers disagree");
      write(argv[3], a);
    } else if (what == "run" && argc == 7) {
      run(argv[2], argv[3], argv[4], std::atof(argv[5]), std::atoi(argv[6]));
    } else {
      fmt::print(stderr, "see the head of benchmarks/versus/versus_attndyn.cpp\n");
      return 2;
    }
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "versus_attndyn: {}\n", e.what());
    return 1;
  }
}
