/// Equations whose power series have closed forms: at least one for each recorded operation, on arguments of
/// which every coefficient counts.
#pragma once

#include "lib/real/recorded.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace attndyn::testing {

using X = Vector<Recorded>;
/// Coefficient k of a series, at the precision of the moment.
using Series = std::function<Mpfr(int k)>;

inline Mpfr number(const char* text) { return parse_real<Mpfr>(text); }
inline Recorded parameter(const char* text) { return Number(text).as<Recorded>(); }
inline Mpfr power(const Mpfr& x, int k) {
  return k < 0 ? Mpfr(1 / power(x, -k)) : k == 0 ? Mpfr(1) : Mpfr(x * power(x, k - 1));
}
inline Mpfr factorial(int k) { return k < 2 ? Mpfr(1) : Mpfr(k * factorial(k - 1)); }
/// a (a-1) ... (a-k+1)/k!
inline Mpfr binomial(const Mpfr& a, int k) {
  return k == 0 ? Mpfr(1) : Mpfr(binomial(a, k - 1) * (a - k + 1) / k);
}
inline int sign(int k) { return k % 2 == 0 ? 1 : -1; }

/// An equation x' = f with the series of y, its last component, that starts at 0.
struct Case {
  std::string name;
  std::vector<const char*> start; ///< of the components before y
  RecordedField field;            ///< of all components
  Series slope;                   ///< of y'
  double inverse_radius = 0;      ///< rounding may leave eps inverse_radius^k where terms cancel
};

using F = std::function<Recorded(const Recorded& x, const Recorded& t)>;

/// x' = 1 from 3/10, y' = f(x, t); t from 1/4.
inline Case on_a_line(std::string name, F f, Series slope) {
  return {std::move(name),
          {"0.3"},
          [f](const X& x, const Recorded& t) {
            return X{1, f(x[0], t)};
          },
          std::move(slope)};
}
/// x' = x^2 from 1/2: x = 1/(2 - t), every coefficient of x differs from 0.
inline Case on_a_pole(std::string name, F f, Series slope) {
  return {std::move(name),
          {"0.5"},
          [f](const X& x, const Recorded& t) {
            return X{x[0] * x[0], f(x[0], t)};
          },
          std::move(slope),
          0.5};
}
/// x' = e^x from log(4/3): x = -log(3/4 - t).
inline Case on_a_logarithm(std::string name, F f, Series slope) {
  return {std::move(name),
          {"0"},
          [f](const X& x, const Recorded& t) {
            return X{exp(x[0]), f(x[0], t)};
          },
          std::move(slope),
          1};
}

inline std::vector<Case> cases() {
  const auto x0 = [] { return number("0.3"); };
  const auto c = [] { return number("-1.7"); };
  const auto power_c = [](const Recorded& x, const Recorded&) { return pow(x, parameter("-1.7")); };
  std::vector<Case> out;
  const auto line = [&](const char* name, F f, Series s) { out.push_back(on_a_line(name, f, s)); };
  line(
      "exp x", [](auto& x, auto&) { return exp(x); },
      [=](int k) -> Mpfr { return exp(x0()) / factorial(k); });
  line(
      "expm1 x", [](auto& x, auto&) { return expm1(x); },
      [=](int k) -> Mpfr { return k == 0 ? expm1(x0()) : Mpfr(exp(x0()) / factorial(k)); });
  line(
      "log x", [](auto& x, auto&) { return log(x); },
      [=](int k) -> Mpfr { return k == 0 ? log(x0()) : Mpfr(-sign(k) / (k * power(x0(), k))); });
  line(
      "sqrt x", [](auto& x, auto&) { return sqrt(x); },
      [=](int k) -> Mpfr { return binomial(Mpfr(1) / 2, k) * sqrt(x0()) / power(x0(), k); });
  line("x^c", power_c, [=](int k) -> Mpfr { return binomial(c(), k) * pow(x0(), c()) / power(x0(), k); });
  line(
      "2^x", [](auto& x, auto&) { return pow(Recorded(2), x); },
      [=](int k) -> Mpfr { return pow(Mpfr(2), x0()) * power(log(Mpfr(2)), k) / factorial(k); });
  line(
      "1/x", [](auto& x, auto&) { return 1 / x; },
      [=](int k) -> Mpfr { return sign(k) / power(x0(), k + 1); });
  line(
      "x/(1+x)", [](auto& x, auto&) { return x / (1 + x); },
      [=](int k) -> Mpfr {
        return k == 0 ? Mpfr(x0() / (1 + x0())) : Mpfr(-sign(k) / power(1 + x0(), k + 1));
      });
  line(
      "x x", [](auto& x, auto&) { return x * x; },
      [=](int k) -> Mpfr { return k == 0   ? Mpfr(x0() * x0())
                                  : k == 1 ? Mpfr(2 * x0())
                                           : Mpfr(k == 2); });
  line(
      "-x/3 - (7 - x)", [](auto& x, auto&) { return -x / 3 - (7 - x); },
      [=](int k) -> Mpfr { return k == 0   ? Mpfr(2 * x0() / 3 - 7)
                                  : k == 1 ? Mpfr(Mpfr(2) / 3)
                                           : Mpfr(0); });
  line(
      "a constant", [](auto&, auto&) { return parameter("7/3") * parameter("0.1"); },
      [=](int k) -> Mpfr { return k == 0 ? number("7/30") : Mpfr(0); });
  line(
      "zero", [](auto&, auto&) { return Recorded(0); }, [](int) -> Mpfr { return Mpfr(0); });
  line(
      "t alone", [](auto&, auto& t) { return t; },
      [](int k) -> Mpfr { return k == 0 ? number("0.25") : Mpfr(k == 1); });
  line(
      "exp t, log t", [](auto&, auto& t) { return exp(t) + log(t); },
      [](int k) -> Mpfr {
        const Mpfr t0 = number("0.25");
        return k == 0 ? Mpfr(exp(t0) + log(t0)) : Mpfr(exp(t0) / factorial(k) - sign(k) / (k * power(t0, k)));
      });
  line(
      "x t", [](auto& x, auto& t) { return x * t; },
      [=](int k) -> Mpfr {
        return k == 0 ? Mpfr(x0() / 4) : k == 1 ? Mpfr(x0() + number("0.25")) : Mpfr(k == 2);
      });

  const auto pole = [&](const char* name, F f, Series s) { out.push_back(on_a_pole(name, f, s)); };
  pole(
      "x on a pole", [](auto& x, auto&) { return x; }, [](int k) -> Mpfr { return power(Mpfr(2), -k - 1); });
  pole(
      "log on a pole", [](auto& x, auto&) { return log(x); },
      [](int k) -> Mpfr { return k == 0 ? Mpfr(-log(Mpfr(2))) : Mpfr(power(Mpfr(2), -k) / k); });
  pole(
      "sqrt on a pole", [](auto& x, auto&) { return sqrt(x); },
      [](int k) -> Mpfr { return sign(k) * binomial(Mpfr(-1) / 2, k) * power(Mpfr(2), -k) / sqrt(Mpfr(2)); });
  pole("x^c on a pole", power_c,
       [=](int k) -> Mpfr { return sign(k) * binomial(-c(), k) * power(Mpfr(2), -k) * pow(Mpfr(2), -c()); });
  pole(
      "1/x on a pole", [](auto& x, auto&) { return 1 / x; },
      [](int k) -> Mpfr { return k == 0 ? Mpfr(2) : Mpfr(-(k == 1)); });
  pole(
      "x^3 on a pole", [](auto& x, auto&) { return x * x * x; },
      [](int k) -> Mpfr { return Mpfr((k + 1) * (k + 2)) / 2 * power(Mpfr(2), -k - 3); });
  pole(
      "x/(1 - x) on a pole", [](auto& x, auto&) { return x / (1 - x); }, [](int) -> Mpfr { return Mpfr(1); });

  const auto logarithm = [&](const char* name, F f, Series s) { out.push_back(on_a_logarithm(name, f, s)); };
  logarithm(
      "exp on a logarithm", [](auto& x, auto&) { return exp(x); }, [](int) -> Mpfr { return Mpfr(1); });
  logarithm(
      "expm1 on a logarithm", [](auto& x, auto&) { return expm1(x); },
      [](int k) -> Mpfr { return Mpfr(k > 0); });
  logarithm(
      "exp(-x) on a logarithm", [](auto& x, auto&) { return exp(-x); },
      [](int k) -> Mpfr { return k == 0 ? Mpfr(1) : Mpfr(-(k == 1)); });
  logarithm(
      "exp(x/2) on a logarithm", [](auto& x, auto&) { return exp(x / 2); },
      [](int k) -> Mpfr { return sign(k) * binomial(Mpfr(-1) / 2, k); });
  logarithm(
      "x t' on a logarithm", [](auto& x, auto& t) { return x * (t - parameter("0.25")); },
      [](int k) -> Mpfr { return k < 2 ? Mpfr(0) : Mpfr(Mpfr(1) / (k - 1)); });

  // x = 1/(2 - t), z = 1/(3 - t).
  const auto two_poles = [&](const char* name, std::function<Recorded(const X&)> f, Series s) {
    out.push_back({name,
                   {"0.5", "1/3"},
                   [f](const X& x, const Recorded&) {
                     return X{x[0] * x[0], x[1] * x[1], f(x)};
                   },
                   s,
                   0.5});
  };
  two_poles(
      "x z", [](const X& x) { return x[0] * x[1]; },
      [](int k) -> Mpfr { return power(Mpfr(2), -k - 1) - power(Mpfr(3), -k - 1); });
  two_poles(
      "x/z", [](const X& x) { return x[0] / x[1]; },
      [](int k) -> Mpfr { return (k == 0 ? Mpfr(1) : Mpfr(0)) + power(Mpfr(2), -k - 1); });
  two_poles(
      "x + z", [](const X& x) { return x[0] + x[1]; },
      [](int k) -> Mpfr { return power(Mpfr(2), -k - 1) + power(Mpfr(3), -k - 1); });
  two_poles(
      "x - z", [](const X& x) { return x[0] - x[1]; },
      [](int k) -> Mpfr { return power(Mpfr(2), -k - 1) - power(Mpfr(3), -k - 1); });
  return out;
}

} // namespace attndyn::testing
