// The numbers that every experiment starts from: frozen, of the right law, and independent from stream to
// stream.
#define BOOST_TEST_MODULE random
#include "lib/random.hpp"
#include "lib/real/types.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

using namespace attndyn;
namespace tt = boost::test_tools;

namespace {

std::vector<double> drawn(std::size_t count, const std::function<double()>& next) {
  std::vector<double> sample(count);
  for (double& x : sample) x = next();
  return sample;
}

double normal_distribution(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

/// sqrt(N) times the Kolmogorov-Smirnov distance to the law; beyond 2.5 with probability 2 e^{-2 2.5^2} =
/// 7e-6.
double kolmogorov(std::vector<double> sample, const std::function<double(double)>& law) {
  std::sort(sample.begin(), sample.end());
  const double size = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double value = law(sample[i]), below = static_cast<double>(i);
    distance = std::max({distance, value - below / size, (below + 1) / size - value});
  }
  return std::sqrt(size) * distance;
}
constexpr double kolmogorov_limit = 2.5;

/// (mean of x^power - expected) in standard errors of that mean, for standard normal x.
double moment_defect(const std::vector<double>& sample, int power) {
  const auto moment = [](int k) { // (k-1)!!
    double product = k % 2 == 0 ? 1 : 0;
    for (int i = k - 1; i > 1; i -= 2) product *= i;
    return product;
  };
  double sum = 0;
  for (double x : sample) sum += std::pow(x, power);
  const double size = static_cast<double>(sample.size());
  const double variance = moment(2 * power) - moment(power) * moment(power);
  return (sum / size - moment(power)) / std::sqrt(variance / size);
}

/// Sample correlation of two normal samples in standard errors.
double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += x[i] * y[i];
    xx += x[i] * x[i];
    yy += y[i] * y[i];
  }
  return std::sqrt(static_cast<double>(x.size())) * xy / std::sqrt(xx * yy);
}
constexpr double sigmas = 5; // exceeded with probability 6e-7

/// (z - quantile of p)/z by a Newton step on MPFR's erfc at 60 digits.
double relative_error_of_quantile(double p, double z) {
  using boost::multiprecision::exp;
  using boost::multiprecision::sqrt;
  set_mpfr_digits(60);
  const Mpfr x = z, pi = 4 * atan(Mpfr(1));
  Mpfr erfc_value;
  const Mpfr argument = -x / sqrt(Mpfr(2));
  mpfr_erfc(erfc_value.backend().data(), argument.backend().data(), MPFR_RNDN);
  const Mpfr density = exp(Mpfr(-x * x / 2)) / sqrt(Mpfr(2 * pi));
  return plain_value(Mpfr((erfc_value / 2 - p) / density / x));
}

} // namespace

// Random123 1.14, file kat_vectors: philox4x64 10, counter 0, key 0.
BOOST_AUTO_TEST_CASE(the_generator_is_the_published_philox_4x64_10) {
  Stream stream(0, 0, Purpose{0});
  const std::uint64_t known[] = {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b,
                                 0x7e68b68aec7ba23b};
  for (std::uint64_t bits : known) BOOST_TEST(stream.bits() == bits);
}

// tests/reference/random_numbers.py: uniforms exact, normals by erfinv at 40 digits.
BOOST_AUTO_TEST_CASE(the_first_eight_numbers_of_seed_1_unit_2_tokens_are_frozen) {
  const double uniforms[] = {0x1.2aad3de5d1895p-1, 0x1.13393365cd1c0p-7, 0x1.4b299ffd0acbcp-3,
                             0x1.44a06fa66eb10p-5, 0x1.268dc745351a5p-1, 0x1.af90edfd13d82p-2,
                             0x1.65bdb88ce4995p-1, 0x1.c9381b68ff2a5p-1};
  const double normals[] = {0.21047874376499388748, -2.3910928140530365566, -0.98749307909839462769,
                            -1.7550277204032306916, 0.18988514494592066837, -0.19818208904869940436,
                            0.52070277810736430104, 1.2426749890504655252};
  Stream u(1, 2, Purpose::tokens), z(1, 2, Purpose::tokens);
  for (int i = 0; i < 8; ++i) {
    BOOST_TEST(u.uniform() == uniforms[i]);
    BOOST_TEST(z.normal() == normals[i], tt::tolerance(1e-15));
  }
}

BOOST_AUTO_TEST_CASE(the_numbers_of_each_purpose_keep_their_place) {
  const std::pair<Purpose, std::uint64_t> fixed[] = {
      {Purpose::tokens, 1},    {Purpose::radii, 2},     {Purpose::weights_q, 3}, {Purpose::weights_k, 4},
      {Purpose::weights_v, 5}, {Purpose::weights_w, 6}, {Purpose::masses, 7},    {Purpose::search, 8},
      {Purpose::noise, 9},     {Purpose::bootstrap, 10}};
  for (const auto& [purpose, value] : fixed) BOOST_TEST(static_cast<std::uint64_t>(purpose) == value);
}

BOOST_AUTO_TEST_CASE(a_number_depends_on_its_index_and_not_on_the_order) {
  Stream forward(7, 3, Purpose::noise), mixed(7, 3, Purpose::noise);
  const Stream by_index(7, 3, Purpose::noise);
  std::vector<std::uint64_t> bits(23);
  for (auto& b : bits) b = forward.bits();
  for (std::size_t i = bits.size(); i-- > 0;) {
    BOOST_TEST(by_index.bits_at(i) == bits[i]);
    BOOST_TEST(by_index.normal_at(i) == normal_quantile(by_index.uniform_at(i)));
  }
  for (std::size_t i = 0; i < bits.size(); ++i) // looking elsewhere in between changes nothing
    BOOST_TEST((mixed.bits_at(1000 - i), mixed.uniform()) == by_index.uniform_at(i));
}

BOOST_AUTO_TEST_CASE(the_normal_quantile_has_fifteen_digits_from_1e_minus_307_to_one_minus_1e_minus_16) {
  double worst = 0;
  const auto look = [&](double p) {
    worst = std::max(worst, std::abs(relative_error_of_quantile(p, normal_quantile(p))));
  };
  for (double p = 1e-307; p < 0.07; p *= 3.7) look(p);
  for (double p = 0.001; p < 1; p += 0.00171) look(p);
  for (double edge : {0.075, 0.925, std::exp(-25.0)}) // where the pieces meet
    for (double side : {-1e-10, 0.0, 1e-10}) look(edge * (1 + side));
  for (double near = 0.1; near > 1e-15; near /= 5) look(0.5 + near), look(0.5 - near), look(1 - near);
  BOOST_TEST_MESSAGE("normal_quantile: worst relative error " << worst);
  BOOST_TEST(worst < 1e-15);
}

BOOST_AUTO_TEST_CASE(the_normal_quantile_is_odd_and_right_at_the_ends) {
  for (double p : {0x1p-53, 0x3p-20, 0.0625, 0.125, 0.4375}) // 1 - p is exact
    BOOST_TEST(normal_quantile(1 - p) == -normal_quantile(p));
  BOOST_TEST(normal_quantile(0.5) == 0);
  BOOST_TEST(normal_quantile(0) == -infinity<double>());
  BOOST_TEST(normal_quantile(1) == infinity<double>());
  for (double p : {-0.1, 1.1, std::nan("")}) BOOST_TEST(std::isnan(normal_quantile(p)));
}

BOOST_AUTO_TEST_CASE(uniform_numbers_are_uniform) {
  Stream stream(11, 0, Purpose::tokens);
  const auto sample = drawn(200'000, [&] { return stream.uniform(); });
  for (double u : sample) {
    if (!(u > 0 && u < 1 && u != 0.5)) BOOST_ERROR("outside (0, 1) or 1/2: " << u);
    if (std::remainder(u * 0x1p53, 2) == 0) BOOST_ERROR("not an odd multiple of 2^-53: " << u);
  }
  const auto distance = kolmogorov(sample, [](double x) { return x; });
  BOOST_TEST_MESSAGE("uniform: Kolmogorov distance sqrt(N) D = " << distance);
  BOOST_TEST(distance < kolmogorov_limit);
  BOOST_TEST(distance > 0.3); // nor more even than chance would make them: probability 1e-5
}

BOOST_AUTO_TEST_CASE(every_bit_is_one_half_of_the_time) {
  Stream stream(5, 6, Purpose::search);
  constexpr int size = 100'000;
  std::array<int, 64> ones{};
  for (int i = 0; i < size; ++i) {
    const std::uint64_t bits = stream.bits();
    for (std::size_t k = 0; k < 64; ++k) ones[k] += static_cast<int>(bits >> k & 1);
  }
  for (int count : ones) BOOST_TEST(std::abs(count - size / 2.0) < sigmas * std::sqrt(size) / 2);
}

BOOST_AUTO_TEST_CASE(normal_numbers_are_normal) {
  Stream stream(12, 34, Purpose::noise);
  const auto sample = drawn(200'000, [&] { return stream.normal(); });
  const auto distance = kolmogorov(sample, normal_distribution);
  BOOST_TEST_MESSAGE("normal: Kolmogorov distance sqrt(N) D = " << distance);
  BOOST_TEST(distance < kolmogorov_limit);
  BOOST_TEST(distance > 0.3);
  for (int power = 1; power <= 6; ++power) {
    const double defect = moment_defect(sample, power);
    BOOST_TEST_MESSAGE("moment " << power << ": off by " << defect << " standard errors");
    BOOST_TEST(std::abs(defect) < sigmas);
  }
}

// What the two tests above can see.
BOOST_AUTO_TEST_CASE(a_law_that_is_wrong_by_two_percent_is_noticed) {
  Stream stream(12, 34, Purpose::noise);
  auto sample = drawn(200'000, [&] { return stream.normal(); });
  auto wide = sample, shifted = sample;
  for (double& x : wide) x *= 1.02;
  for (double& x : shifted) x += 0.02;
  BOOST_TEST(std::abs(moment_defect(wide, 2)) > sigmas);
  BOOST_TEST(std::abs(moment_defect(shifted, 1)) > sigmas);
  BOOST_TEST(kolmogorov(shifted, normal_distribution) > kolmogorov_limit);
}

BOOST_AUTO_TEST_CASE(streams_that_differ_in_one_bit_of_one_name_are_independent) {
  constexpr std::size_t size = 20'000;
  std::vector<std::vector<double>> samples;
  for (const auto& [seed, unit, purpose] : {std::tuple{0u, 0u, Purpose::tokens},
                                            {1u, 0u, Purpose::tokens},
                                            {0u, 1u, Purpose::tokens},
                                            {1u, 1u, Purpose::tokens},
                                            {0u, 0u, Purpose::radii},
                                            {1u, 0u, Purpose::radii},
                                            {2u, 0u, Purpose::tokens},
                                            {0u, 2u, Purpose::tokens}}) {
    Stream stream(seed, unit, purpose);
    samples.push_back(drawn(size, [&] { return stream.normal(); }));
  }
  double worst = 0;
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t k = i; k < samples.size(); ++k)
      for (std::size_t lag = 0; lag <= 8; ++lag) {
        if (i == k && lag == 0) continue;
        const std::vector<double> x(samples[i].begin(), samples[i].end() - static_cast<std::ptrdiff_t>(lag));
        const std::vector<double> y(samples[k].begin() + static_cast<std::ptrdiff_t>(lag), samples[k].end());
        worst = std::max(worst, std::abs(correlation(x, y)));
      }
  BOOST_TEST_MESSAGE("largest of 316 correlations: " << worst << " standard errors");
  BOOST_TEST(worst < sigmas);
  std::vector<double> related(size); // what it can see: a correlation of 0.05
  for (std::size_t i = 0; i < size; ++i) related[i] = 0.05 * samples[0][i] + samples[1][i];
  BOOST_TEST(correlation(samples[0], related) > sigmas);
}

BOOST_AUTO_TEST_CASE(no_64_bits_come_twice_in_ten_thousand_streams) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t unit = 0; unit < 10'000; ++unit)
    for (std::uint64_t index = 0; index < 8; ++index)
      seen.insert(Stream(unit % 10, unit / 10, Purpose::tokens).bits_at(index));
  BOOST_TEST(seen.size() == 80'000u);
}
