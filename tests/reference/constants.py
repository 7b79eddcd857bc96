#!/usr/bin/python3
"""Reference constants of the equiangular flow and of two tokens: writes constants.csv beside this file.

Equiangular (softmax, Q = K = V = I, notation of equiangular.py), terminal laws of 1 - g as t -> infinity:

    post 1-g ~ C e^{-2t}          pre, peri, mix 1-g ~ C / t^2      lns 1-g ~ C / t
    sqrt 1-g ~ C e^{-4 sqrt t}    ngpt 1-g ~ C e^{-2 int_0^t alpha}

    C_post = n u0/S0 exp int_0^{u0} (e^{beta v} - 1) / (v (n-(n-1)v)) dv,   C_sqrt = e^4 C_post
    C_ngpt = C_post exp(-2 int_0^infinity (1-|A|) dT)                       C_pre = C_peri = r0^2 C_post S0/n
    C_mix = r0^2 C_post e^{-2 tau} S(tau)/n                                 C_lns = C_pre/4

The two integrals are taken in u = 1 - g; limits() takes the same constants from the curve itself far out, in the
logit, by exponential integrals and the clocks of equiangular.py. Two tokens with cosine c and masses a1 + a2 = 1, in
z = artanh c:

    sa   dz/dt = a2/(a1 e^{beta(1-c)} + a2) + a1/(a2 e^{beta(1-c)} + a1)      usa  dz/dt = e^{beta c}
    hardmax  z = z0 + 2t     a massless token facing a unit mass (sa)  z = z0 + t, the unit mass at rest

by quadrature and Newton; two_token_runs() follows the two vectors instead (integrator of particles_ref.py).
"""
import os
import sys

import gmpy2
import mpmath
from mpmath import mp, mpf

import particles_ref
from equiangular import Clock, Flow, Solver, close

DIGITS = 40
DPS = 90
# (n, beta, g0, r0, tau), alpha = 1
SETS = [('256', '5', '0', '1', '2.5'), ('32', '3', '0', '0.5', '1'), ('2', '1', '0.1', '2', '0.5'),
        ('8', '-2', '-0.1', '1.5', '0.25')]
SCHEMES = ('post', 'pre', 'peri', 'mix', 'sqrt', 'ngpt', 'lns')


def in_gap(f, u0, U):
  """int_0^{u0} f(u) du for f with a pole at U > u0: panels that shrink towards U."""
  points, u = [mpf(0)], mpf(0)
  while u < u0:
    u = min(u + (U - u) / 3, u0)
    points.append(u)
  value, error = mp.quad(f, points, method='gauss-legendre', error=True, maxdegree=8)
  assert error < mpf(10)**-(DIGITS + 10) * abs(value)
  return value


def constants(solver, n, beta, g0, r0, tau):
  """scheme -> constant"""
  flow, key = solver.start('sa', n, beta, g0, r0), ('sa', n, beta, g0, r0)
  n, beta, r0, tau = flow.n, flow.beta, flow.r0, mpf(tau)
  u0, S0 = 1 - mpf(g0), 1 + (n - 1) * mpf(g0)

  def S(u): return n - (n - 1) * u

  def one_minus_A_dT(u):
    """(1-|A|) dT/du without the cancellation at u = 0: 1-|A|^2 = u (1 - c_self^2 - (n-1) c_off^2)."""
    q = mp.exp(beta * u)
    c_self, c_off = q / (q + n - 1), 1 / (q + n - 1)
    lost = 1 - c_self**2 - (n - 1) * c_off**2
    return lost / (1 + mp.sqrt(1 - u * lost)) / (2 * c_off * S(u))

  C = {'post': n * u0 / S0 * mp.exp(in_gap(lambda v: mp.expm1(beta * v) / (v * S(v)), u0, flow.U))}
  C['ngpt'] = C['post'] * mp.exp(-2 * in_gap(one_minus_A_dT, u0, flow.U))
  C['pre'] = C['peri'] = r0**2 * C['post'] * S0 / n
  C['mix'] = r0**2 * C['post'] * mp.exp(-2 * tau) * flow.S(solver.post(key, flow, tau)) / n
  C['sqrt'], C['lns'] = mp.exp(4) * C['post'], C['pre'] / 4
  limits(solver, key, flow, tau, C)
  return C


def limits(solver, key, flow, tau, C):
  """The constants once more, as the value of (1-g) times its law at 1-g about e^-130 (ngpt, post, sqrt) and at
  t about e^40 (the algebraic laws, whose next terms are 1/t, for lns 1/sqrt t)."""
  x = mpf(-130)
  post = mp.exp(flow.y(x) + 2 * flow.T(x))
  assert close(C['post'], post, DIGITS + 12)
  root = flow.T(x) / 2 + 1                                          # sqrt(1+t) of sqrt-scaling; 1-g ~ C e^-4 sqrt(1+t)
  assert close(C['sqrt'], mp.exp(flow.y(x) + 4 * root), DIGITS + 12)
  assert close(C['ngpt'], mp.exp(flow.y(x) + 2 * solver.clock(key, flow, 'A').value(x)), DIGITS + 12)
  x = mpf(-80)
  t = solver.clock(key, flow, 'r').value(x)
  assert close(C['pre'], mp.exp(flow.y(x)) * t**2, 15)
  assert close(C['peri'], mp.exp(flow.y(x)) * solver.clock(key, flow, 'rA').value(x)**2, 15)
  assert close(C['lns'], mp.exp(flow.y(x)) * ((t / 2 + 1)**2 - 1), 15)
  after = Flow('sa', flow.n, flow.beta, solver.post(key, flow, tau), flow.r0)
  t = tau + solver.clock(key + (mp.nstr(tau, 20),), after, 'r').value(x)
  assert close(C['mix'], mp.exp(after.y(x)) * t**2, 15)


def time_to(solver, scheme, n, beta, g0, r0, tau, level):
  """Time at which g = level, alpha = 1: the clocks of equiangular.py read forwards."""
  flow, key = solver.start('sa', n, beta, g0, r0), ('sa', n, beta, g0, r0)
  tau, g = mpf(tau), mpf(level)
  x = mp.log((1 - g) * (flow.n - 1) / (1 + (flow.n - 1) * g))
  T = solver.clock(key, flow, 'T').value(x)
  if scheme == 'post' or (scheme == 'mix' and T <= tau): return T
  if scheme == 'sqrt': return (T / 2 + 1)**2 - 1
  if scheme == 'mix':
    after = Flow('sa', flow.n, flow.beta, solver.post(key, flow, tau), flow.r0)
    return tau + solver.clock(key + (mp.nstr(tau, 20),), after, 'r').value(x)
  time = solver.clock(key, flow, {'pre': 'r', 'lns': 'r', 'peri': 'rA', 'ngpt': 'A'}[scheme]).value(x)
  return (time / 2 + 1)**2 - 1 if scheme == 'lns' else time


class Pair:
  """Two tokens as a flow for Clock: x = -artanh c, which falls while c rises."""

  def __init__(self, attention, beta, c0, a1, a2):
    self.attention, self.beta, self.a1, self.a2 = attention, mpf(beta), mpf(a1), mpf(a2)
    self.x0 = -mp.atanh(mpf(c0))

  def integrand(self, _):
    def f(x):
      c, a, b = mp.tanh(-x), self.a1, self.a2
      if self.attention == 'usa': return mp.exp(-self.beta * c)
      q = mp.exp(self.beta * (1 - c))
      return 1 / (b / (a * q + b) + a / (b * q + a))
    return f


# (attention, beta, c0, mass1, mass2, t)
PAIRS = [('sa', '2', '0.1', '0.3', '0.7', '1'), ('sa', '2', '-0.6', '0.3', '0.7', '3'),
         ('sa', '1', '0', '0.5', '0.5', '1'), ('sa', '-1.5', '0.25', '0.3', '0.7', '0.5'),
         ('usa', '2', '0.1', '0.3', '0.7', '0.5'), ('usa', '-1', '-0.5', '0.3', '0.7', '1'),
         ('hardmax', '2', '0.1', '0.3', '0.7', '0.75'), ('hardmax', '2', '-0.5', '0.5', '0.5', '1'),
         ('sa', '2', '0.1', '0', '1', '0.75'), ('usa', '2', '0.1', '0', '1', '0.5')]


def pair_z(attention, beta, c0, a1, a2, t):
  """artanh c at time t"""
  z0 = mp.atanh(mpf(c0))
  if attention == 'hardmax': return z0 + 2 * mpf(t)
  if attention == 'sa' and a1 == '0': return z0 + mpf(t)            # whatever beta is
  return -Clock(Pair(attention, beta, c0, a1, a2), None, mpf('0.5')).inverse(mpf(t))


def two_token_run(attention, beta, c0, a1, a2, t):
  """Cosine at time t from the vectors (1, 0) and (c0, sqrt(1-c0^2)) under Post-LN."""
  gmpy2.get_context().precision = particles_ref.BITS
  second = gmpy2.sqrt(1 - gmpy2.mpfr(c0)**2)
  run = particles_ref.Run('pair', 'post', attention, beta, ['1 0', f'{c0} {second!s}'], f'{a1} {a2}', '1 1', t=t)
  state = run.solve(20, 15)
  return mpf(str(particles_ref.dot(state[:2], state[2:4])))


def main():
  mp.dps = DPS
  solver, lines = Solver('1'), []

  def put(name, value, **fields):
    columns = [fields.get(c, '') for c in ('n', 'beta', 'g0', 'r0', 'tau', 'mass1', 'mass2', 't', 'level')]
    lines.append(','.join([name, *columns, str(DIGITS), mp.nstr(value, DIGITS, strip_zeros=False)]))

  for s in SETS:
    fields = dict(zip(('n', 'beta', 'g0', 'r0', 'tau'), s))
    C = constants(solver, *s)
    for scheme in SCHEMES: put(f'terminal_constant_{scheme}', C[scheme], **fields)
  for s in SETS[:2]:
    fields = dict(zip(('n', 'beta', 'g0', 'r0', 'tau'), s))
    for scheme in SCHEMES:
      reached = time_to(solver, scheme, *s, '0.999')
      if scheme != 'mix' or reached > mpf(s[4]):                    # there and back
        y, _ = solver.solve(scheme, 'sa', *s[:4], s[4], '1', '0', mp.nstr(reached, DPS))
        assert close(mp.exp(y), mpf('0.001'), 60)
      put(f'time_to_level_{scheme}', reached, level='0.999', **fields)
    for scheme in SCHEMES:
      y, _ = solver.solve(scheme, 'sa', *s[:4], s[4], '1', '0', '10')
      put(f'one_minus_g_{scheme}', mp.exp(y), t='10', **fields)
  for beta in ('0.1', '1', '3', '5', '6', '9'):
    put('time_to_level_post', time_to(solver, 'post', '32', beta, '0', '1', '2.5', '0.999'), n='32', beta=beta, g0='0',
        r0='1', tau='2.5', level='0.999')
  for attention, beta, c0, a1, a2, t in PAIRS:
    z, fields = pair_z(attention, beta, c0, a1, a2, t), dict(n='2', beta=beta, g0=c0, mass1=a1, mass2=a2, t=t)
    assert abs(mp.tanh(z) - two_token_run(attention, beta, c0, a1, a2, t)) < mpf(10)**-32, (attention, beta, c0, a1)
    put(f'pair_cosine_{attention}', mp.tanh(z), **fields)
    put(f'pair_one_minus_cosine_{attention}', 2 / (1 + mp.exp(2 * z)), **fields)

  comments = [
      f'program: tests/reference/constants.py (Python {sys.version.split()[0]}, mpmath {mpmath.__version__}, '
      f'gmpy2 {gmpy2.version()})',
      f'working_precision: {DPS} decimal digits; route: quadrature, see the head of the program',
      'terminal_constant: of 1-g, softmax, alpha = 1; time_to_level: g(t) = level; one_minus_g: at time t',
      'pair_*: two tokens, Post-LN, start cosine in column g0, masses mass1 and mass2 (0 and 1: massless token)']
  path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'constants.csv')
  particles_ref.write(path, comments, 'quantity,n,beta,g0,r0,tau,mass1,mass2,t,level,digits,value', lines)


if __name__ == '__main__': main()
