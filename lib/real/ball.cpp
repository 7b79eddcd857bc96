#include "lib/real/ball.hpp"

#include <flint/flint.h>
#include <fmt/format.h>
#include <mpfr.h>

#include <cmath>
#include <memory>
#include <stdexcept>

namespace attndyn {

thread_local slong BallBits::current = 128;

BallBits::BallBits(slong bits) : outer_(current) {
  if (bits < 2 || bits > 4'000'000)
    throw std::invalid_argument(fmt::format("bits = {}: must be between 2 and 4000000", bits));
  current = bits;
}

Ball::Ball(double exact) : Ball() {
  if (std::isfinite(exact))
    arb_set_d(v_, exact);
  else
    arb_zero_pm_inf(v_);
}

Ball::Ball(const Mpfr& exact) : Ball() {
  arf_set_mpfr(arb_midref(v_), exact.backend().data());
  if (!arf_is_finite(arb_midref(v_))) arb_zero_pm_inf(v_);
}

Ball Ball::between(const Ball& a, const Ball& b) { return hull(a, b); }

Ball Ball::around_zero(const Ball& radius) { return widened(Ball(0), radius); }

Ball Ball::lower() const {
  Ball out;
  arb_get_lbound_arf(arb_midref(out.v_), v_, BallBits::now());
  return out;
}

Ball Ball::upper() const {
  Ball out;
  arb_get_ubound_arf(arb_midref(out.v_), v_, BallBits::now());
  return out;
}

Ball Ball::midpoint() const {
  Ball out;
  arf_set(arb_midref(out.v_), arb_midref(v_));
  return out;
}

double Ball::radius() const { return mag_get_d(arb_radref(v_)); }

Mpfr Ball::to_mpfr() const {
  Mpfr out;
  arf_get_mpfr(out.backend().data(), arb_midref(v_), MPFR_RNDN);
  return out;
}

#define ATTNDYN_UNARY(name, function)                                                                        \
  Ball name(const Ball& x) {                                                                                 \
    Ball out;                                                                                                \
    function(out.raw(), x.raw(), BallBits::now());                                                           \
    return out;                                                                                              \
  }
ATTNDYN_UNARY(exp, arb_exp)
ATTNDYN_UNARY(expm1, arb_expm1)
ATTNDYN_UNARY(log, arb_log)
ATTNDYN_UNARY(sqrt, arb_sqrt)
#undef ATTNDYN_UNARY

Ball pow(const Ball& x, const Ball& y) {
  Ball out;
  arb_pow(out.raw(), x.raw(), y.raw(), BallBits::now());
  return out;
}

Ball abs(const Ball& x) {
  Ball out;
  arb_abs(out.raw(), x.raw());
  return out;
}

Ball hull(const Ball& a, const Ball& b) {
  Ball out;
  arb_union(out.raw(), a.raw(), b.raw(), BallBits::now());
  return out;
}

Ball common(const Ball& a, const Ball& b) {
  Ball out;
  if (!arb_intersection(out.raw(), a.raw(), b.raw(), BallBits::now()))
    throw std::logic_error("common: the balls are disjoint");
  return out;
}

Ball widened(const Ball& a, const Ball& radius) {
  Ball out = a;
  arb_add_error(out.raw(), radius.raw());
  return out;
}

double relative_digits(const Ball& x) {
  const slong bits = arb_rel_accuracy_bits(x.raw());
  return bits <= 0 ? 0.0 : static_cast<double>(bits) / 3.3219280948873623;
}

namespace {

/// s: a decimal that Number has accepted.
Ball decimal_ball(const std::string& s) {
  Ball out;
  if (arb_set_str(out.raw(), s.c_str(), BallBits::now()) != 0)
    throw std::invalid_argument("must be a finite decimal number or a quotient p/q");
  return out;
}

std::string trimmed(std::string_view s) {
  const auto first = s.find_first_not_of(" \t\n\r"), last = s.find_last_not_of(" \t\n\r");
  return first == std::string_view::npos ? std::string() : std::string(s.substr(first, last - first + 1));
}

std::string end_text(const Ball& end, int digits, bool down) {
  mpfr_t x;
  mpfr_init2(x, BallBits::now() + 2);
  arf_get_mpfr(x, arb_midref(end.raw()), down ? MPFR_RNDD : MPFR_RNDU);
  char* text = nullptr;
  const int length =
      down ? mpfr_asprintf(&text, "%.*RDe", digits - 1, x) : mpfr_asprintf(&text, "%.*RUe", digits - 1, x);
  mpfr_clear(x);
  if (length < 0) throw std::bad_alloc();
  const std::string out(text);
  mpfr_free_str(text);
  return out;
}

} // namespace

template <> Ball parse_real(std::string_view text) {
  const Number checked{std::string(text)}; // throws if it is no number
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return decimal_ball(trimmed(text));
  return decimal_ball(trimmed(text.substr(0, slash))) / decimal_ball(trimmed(text.substr(slash + 1)));
}

std::string ball_text(const Ball& x, int digits) {
  const std::unique_ptr<char, void (*)(void*)> text(arb_get_str(x.raw(), digits, 0), flint_free);
  return text.get();
}

std::string lower_text(const Ball& x, int digits) { return end_text(x.lower(), digits, true); }
std::string upper_text(const Ball& x, int digits) { return end_text(x.upper(), digits, false); }

std::string to_exact(const Ball& x) {
  const std::unique_ptr<char, void (*)(void*)> text(arb_dump_str(x.raw()), flint_free);
  return text.get();
}

Ball from_exact(const std::string& text) {
  Ball out;
  if (arb_load_str(out.raw(), text.c_str()) != 0)
    throw std::invalid_argument(fmt::format("{}: is not the exact form of a ball", text));
  return out;
}

} // namespace attndyn
