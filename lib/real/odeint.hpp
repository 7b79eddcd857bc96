/// The only door to Boost.Odeint. Include this, never an odeint header directly.
///
/// Boost 1.74's odeint asks a state's element for its own value_type; a Multiprecision number's value_type is
/// itself, so controlled and Bulirsch-Stoer steppers do not compile on std::vector<number<...>> (fixed in
/// Boost 1.85). Saying that such a number has no value_type cures it for every backend.
#pragma once

#include <boost/multiprecision/number.hpp>
#include <boost/numeric/odeint/algebra/detail/extract_value_type.hpp>

template <class Backend, boost::multiprecision::expression_template_option Expressions, class Fallback>
struct has_value_type<boost::multiprecision::number<Backend, Expressions>, Fallback> : boost::mpl::false_ {};

#include <boost/numeric/odeint/stepper/bulirsch_stoer.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/euler.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
