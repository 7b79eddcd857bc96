// g(20), Post-LN, n = 256, beta = 5 at many digits: lines `method digits seconds true-error`, the fastest of
// some repeats. The error is that of log(1-g) against the separable solution with 20 digits more (for the
// second route itself: the radius of its enclosure).
//   precision_attndyn taylor|bulirsch_stoer|separable DIGITS REPEATS
#include "lib/jets/coefficients.hpp"
#include "lib/models/equiangular.hpp"
#include "lib/models/separable.hpp"
#include "lib/solve.hpp"

#include <fmt/format.h>

#include <chrono>

using namespace attndyn;

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string method = argv[1];
  const int digits = std::stoi(argv[2]), repeats = std::stoi(argv[3]);
  const EquiangularParams params{.scheme = {}, .n = 256, .beta = 5};
  set_mpfr_digits(digits + 10);
  double best = 1e300;
  Ball found;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    if (method == "separable") {
      found = Separable(params).at_digits(20, digits).log_gap;
    } else {
      const Equiangular<Mpfr> model(params);
      Options<Mpfr> o;
      o.stepper = method;
      o.tolerance = pow(Mpfr(10), -digits);
      o.control_global_error = false;
      o.max_steps = 100'000'000;
      const auto s = solve<Mpfr>(model, model.start(), Mpfr(0), {Mpfr(20)}, o);
      if (s.why != Stop::reached_end) return 1;
      found = Ball(s.samples[0].x[0]);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (seconds < best) best = seconds;
  }
  const BallBits bits(BallBits::of_digits(digits + 40));
  const Ball exact = Separable(params).at_digits(20, digits + 20).log_gap;
  // As a power of ten: errors of 1e-1000 are no double.
  const Ball error = method == "separable" ? found - found.midpoint() : found - exact;
  fmt::print("{} {} {:.6f} 1e{:.1f}\n", method, digits, best, detail::log_size_of(error) / 2.302585092994046);
  fmt::print(stderr, "{} {}\n", method, ball_text(exact, digits + 20));
  return 0;
}
