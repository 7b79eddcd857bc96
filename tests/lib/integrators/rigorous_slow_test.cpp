// The same as rigorous_test.cpp at length: a thousand random runs, every row of the references, every scheme
// and attention of the particle model.
#define BOOST_TEST_MODULE rigorous_slow
#include <boost/test/unit_test.hpp>

#include "tests/lib/integrators/rigorous_cases.hpp"

BOOST_AUTO_TEST_CASE(a_thousand_random_equiangular_runs_are_enclosed) {
  for (std::uint64_t k = 1000; k < 2000; ++k) holds_the_taylor_solution(random_case(k));
}

BOOST_AUTO_TEST_CASE(every_row_of_the_quadrature_is_enclosed_at_40_digits) {
  for (const auto& row : attndyn::testing::equiangular_rows()) holds_the_reference(row, 40);
}

BOOST_AUTO_TEST_CASE(five_particles_are_enclosed_under_every_scheme_and_attention) {
  for (const auto& scheme : scheme_list())
    for (Attention attention : {Attention::softmax, Attention::causal})
      holds_five_particles(scheme.name, attention);
  for (const char* scheme : {"pre", "peri", "ngpt", "lns"})
    holds_five_particles(scheme, Attention::unnormalised);
}

BOOST_AUTO_TEST_CASE(every_reference_of_the_particle_model_is_enclosed) {
  const auto all = [](const std::string&) { return true; };
  BOOST_TEST(holds_the_particle_references(all) == 23);
}
