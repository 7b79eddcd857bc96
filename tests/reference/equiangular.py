#!/usr/bin/python3
"""Reference values of the equiangular reduction: writes equiangular.csv beside this file.

Nothing here integrates an ODE to make a value. All n tokens keep one cosine g, one radius r, Q = K = V = I,
masses 1/n. With u = 1 - g, S = 1 + (n-1) g and A_j = c_self theta_j + c_off sum_{k != j} theta_k,

    SA   c_self = e^beta / (e^beta + (n-1) e^{beta g}),  c_off = e^{beta g} / (e^beta + (n-1) e^{beta g})
    USA  c_self = e^beta / n,                            c_off = e^{beta g} / n
    a = <theta, A> = c_self + (n-1) c_off g,   dg/dt = (2/s) c_off u S,   dr/dt = rho.

1. Clock of the pair (u, S). In T, dT = dt/s ("Post-LN time"), every scheme has du/dT = -2 c_off u S. The
   logit x = log(u / (U-u)), U = n/(n-1), is the variable here: dx/dT = -2 n c_off, and u = U/(1+e^-x),
   S = n/(1+e^x) have no singularity nearer to the real line than |Im x| = pi. As g -> 1, x - log(1-g) tends to
   -log U, so x resolves 1 - g at any depth.
2. Radius. s rho = r a for Pre-LN, Peri-LN and LayerNorm scaling, so d log r/dT = a. For SA,
   a = 1 - (n-1) c_off u = 1 - (d log S/dT)/2, hence log r = log r0 + T_SA - log(S/S0)/2. USA has the same curve
   r(g): its vector A is the SA one times Z = (e^beta + (n-1) e^{beta g})/n, and dT_SA = Z dT_USA.
3. T_SA and T_USA in exponential integrals, P(u) = Ei(beta u) - e^{beta U} Ei(-beta (U-u)), either sign of beta:
       T_SA = [P(u0) - P(u) + (n-1)(x0-x)] / (2n),   T_USA = e^{-beta} [P(u0) - P(u)] / 2.
4. Times, each one quadrature of f(x) dx from x to x0, with dT = dx/(2 n c_off):
       post  t            = int dT              ngpt  int_0^t alpha    = int |A| dT
       pre   t            = int r dT            sqrt  2 (sqrt(1+t)-1)  = int dT
       peri  t            = int r |A| dT        lns   2 (sqrt(1+t)-1)  = int r dT
       mix   post until tau, then t - tau = int r dT from g(tau) with r = r0 there.
   The left side is known, the upper end is found by Newton's method (the derivative is the integrand).

Gauss-Legendre on panels of x; every value is made twice, with different working precision and panel length, and
both must agree to 10^-AGREE, else the script stops. checks() then compares rows with routes of another kind.
"""
import os
import sys
import time

import mpmath
from mpmath import mp, mpf

DIGITS = 60   # significant digits written
AGREE = 63    # relative agreement demanded of the two passes


class Flow:
  """The curve (g, r) from a start: attention 'sa' or 'usa', n >= 2, x0 the logit of the start, r0 > 0."""

  def __init__(self, attention, n, beta, x0, r0):
    self.usa, self.n, self.beta, self.x0, self.r0 = attention == 'usa', n, beta, x0, r0
    self.U = mpf(n) / (n - 1)
    self.P0 = self.P(x0)
    self.r_scale = self.r0 / mp.sqrt(1 + mp.exp(x0))

  def u(self, x): return self.U / (1 + mp.exp(-x))                       # 1 - g
  def U_minus_u(self, x): return self.U / (1 + mp.exp(x))
  def S(self, x): return self.n / (1 + mp.exp(x))                        # 1 + (n-1) g
  def y(self, x): return mp.log(self.U) - mp.log(1 + mp.exp(-x))         # log(1 - g)

  def P(self, x):
    b = self.beta
    return mp.ei(b * self.u(x)) - mp.exp(b * self.U) * mp.ei(-b * self.U_minus_u(x)) if b else mpf(0)

  def T_sa(self, x):
    rise = self.P0 - self.P(x) if self.beta else self.x0 - x             # beta = 0: 1/c_off = n
    return (rise + (self.n - 1) * (self.x0 - x)) / (2 * self.n)

  def T(self, x):
    if not self.usa: return self.T_sa(x)
    return mp.exp(-self.beta) * (self.P0 - self.P(x)) / 2 if self.beta else (self.x0 - x) / 2

  def coefficients(self, x):
    """(c_self, c_off)"""
    if self.usa:
      return mp.exp(self.beta) / self.n, mp.exp(self.beta * (1 - self.u(x))) / self.n
    q = mp.exp(self.beta * self.u(x))                                    # e^{beta (1-g)}
    return q / (q + self.n - 1), 1 / (q + self.n - 1)

  def a(self, x):
    c_self, c_off = self.coefficients(x)
    return c_self + (self.n - 1) * c_off * (1 - self.u(x))

  def norm_A(self, x):
    (c_self, c_off), n, g = self.coefficients(x), self.n, 1 - self.u(x)
    return mp.sqrt(c_self**2 + 2 * (n - 1) * c_self * c_off * g + (n - 1) * c_off**2 * (1 + (n - 2) * g))

  def r(self, x): return self.r_scale * mp.exp(self.T_sa(x)) * mp.sqrt(1 + mp.exp(x))
  def log_r(self, x):
    return mp.log(self.r0) + self.T_sa(x) - (mp.log(1 + mp.exp(self.x0)) - mp.log(1 + mp.exp(x))) / 2

  def dT(self, x): return 1 / (2 * self.n * self.coefficients(x)[1])     # -dT/dx > 0

  def integrand(self, kind):
    return {'T': self.dT,
            'r': lambda x: self.dT(x) * self.r(x),
            'A': lambda x: self.dT(x) * self.norm_A(x),
            'rA': lambda x: self.dT(x) * self.r(x) * self.norm_A(x)}[kind]


class Clock:
  """F(x) = int_x^{x0} f for one flow and one kind of f > 0, and its inverse. Panel ends are kept for later calls."""

  def __init__(self, flow, kind, panel):
    self.flow, self.f, self.panel = flow, flow.integrand(kind), panel
    self.ends = [(flow.x0, mpf(0))]

  def piece(self, left, right):
    """Integral of f over [left, right]; halves the interval until mpmath's own error estimate is small."""
    if left == right: return mpf(0)
    value, error = mp.quad(self.f, [left, right], method='gauss-legendre', error=True, maxdegree=7)
    if error <= mpf(10)**-(AGREE + 15) * value: return value
    middle = (left + right) / 2
    return self.piece(left, middle) + self.piece(middle, right)

  def grow(self):
    right, value = self.ends[-1]
    self.ends.append((right - self.panel, value + self.piece(right - self.panel, right)))

  def value(self, x):
    while self.ends[-1][0] > x: self.grow()
    right, value = [e for e in self.ends if e[0] >= x][-1]
    return value + self.piece(x, right)

  def inverse(self, target):
    """x with F(x) = target >= 0."""
    while self.ends[-1][1] < target: self.grow()
    right, value = [e for e in self.ends if e[1] <= target][-1]
    rest = target - value
    if not rest: return right
    step = min(rest / self.f(right), self.panel)                         # x = right - step
    for _ in range(60):
      change = (rest - self.piece(right - step, right)) / self.f(right - step)
      step = min(max(step + change, step / 8), self.panel)
      if abs(change) <= mpf(10)**-(AGREE // 2 + 8) * step: return right - step   # quadratic: the next is below
    raise RuntimeError('Newton did not converge')


class Solver:
  """Flows and clocks of one pass (working precision, panel length)."""

  def __init__(self, panel):
    self.panel, self.clocks = mpf(panel), {}

  def clock(self, key, flow, kind):
    return self.clocks.setdefault((key, kind), Clock(flow, kind, self.panel))

  def start(self, attention, n, beta, g0, r0):
    """Flow from the decimal texts; -1/(n-1) < g0 < 1."""
    n, beta, g0, r0 = int(n), mpf(beta), mpf(g0), mpf(r0)
    return Flow(attention, n, beta, mp.log((1 - g0) * (n - 1) / (1 + (n - 1) * g0)), r0)

  def post(self, key, flow, T):
    """Post-LN time T to x: by quadrature, and the exponential integrals must say the same."""
    x = self.clock(key, flow, 'T').inverse(T)
    assert abs(flow.T(x) - T) <= mpf(10)**-(AGREE + 5) * T, (key, T)
    return x

  def solve(self, scheme, attention, n, beta, g0, r0, tau, alpha, alpha_decay, t):
    """(log(1-g), log r) at time t; all arguments are texts."""
    key = (attention, n, beta, g0, r0)
    flow = self.start(*key)
    t, tau, alpha, decay = mpf(t), mpf(tau), mpf(alpha), mpf(alpha_decay)
    root_time = 2 * t / (mp.sqrt(1 + t) + 1)                             # 2 (sqrt(1+t) - 1)
    if scheme == 'post' or (scheme == 'mix' and t <= tau):
      return flow.y(self.post(key, flow, t)), mp.log(flow.r0)
    if scheme == 'sqrt':
      return flow.y(self.post(key, flow, root_time)), mp.log(flow.r0)
    if scheme == 'ngpt':
      budget = alpha * (mp.log1p(t) if decay == 1 else mp.expm1((1 - decay) * mp.log1p(t)) / (1 - decay))
      return flow.y(self.clock(key, flow, 'A').inverse(budget)), mp.log(flow.r0)
    if scheme == 'mix':
      flow = Flow(attention, flow.n, flow.beta, self.post(key, flow, tau), flow.r0)
      key, t, scheme = key + (tau,), t - tau, 'pre'
    time_here, kind = {'pre': (t, 'r'), 'lns': (root_time, 'r'), 'peri': (t, 'rA')}[scheme]
    x = self.clock(key, flow, kind).inverse(time_here)
    return flow.y(x), flow.log_r(x)


# ---- the rows ----------------------------------------------------------------------------------------------

# (scheme, tau, alpha, alpha_decay): what a scheme does not use stays at the default
VARIANTS = [('post', '2.5', '1', '0'), ('pre', '2.5', '1', '0'), ('mix', '2.5', '1', '0'), ('mix', '0.1', '1', '0'),
            ('peri', '2.5', '1', '0'), ('ngpt', '2.5', '1', '0'), ('ngpt', '2.5', '1', '0.5'),
            ('ngpt', '2.5', '1', '1'), ('ngpt', '2.5', '1.5', '0.5'), ('sqrt', '2.5', '1', '0'),
            ('lns', '2.5', '1', '0')]

# (attention, n, beta, g0, r0, times)
CASES = [('sa', '256', '5', '0', '1', '1e-30 0.1 1 2.5 10 20'),
         ('sa', '2', '1', '0.1', '0.5', '1e-30 0.3 3'),
         ('sa', '8', '-0.1', '0', '2', '1 10'),
         ('sa', '33', '20', '0.9', '1', '0.5 5'),
         ('sa', '3', '-2', '-0.3', '1', '1 4'),
         ('sa', '5', '0', '0.2', '1', '0.5 3'),
         ('sa', '16', '-1000', '0.5', '1', '1 10'),
         ('sa', '64', '10000', '0.999', '1.25', '1 100'),
         ('usa', '16', '1.5', '0', '1', '1e-30 0.1 0.5'),
         ('usa', '4', '-1', '0.25', '2', '0.5 2'),
         ('usa', '5', '0', '0.2', '0.5', '0.5 3')]

# far along, one time per scheme (and decay): (256, 5) with 1-g < 1e-40 where the law is exponential
FAR = {('post', '0'): '60', ('sqrt', '0'): '960', ('ngpt', '0'): '60', ('ngpt', '0.5'): '960', ('ngpt', '1'): '1e26'}
# (33, 20, 0.9) down to 1-g about e^-2000
FARTHER = {('post', '0'): '1000', ('sqrt', '0'): '250000', ('ngpt', '0'): '1000', ('ngpt', '0.5'): '250000',
           ('ngpt', '1'): '1e300'}


def rows():
  out = []
  for attention, n, beta, g0, r0, times in CASES:
    for scheme, tau, alpha, decay in VARIANTS:
      extra = []
      if (attention, n, beta) == ('sa', '256', '5'): extra = [FAR.get((scheme, decay), '1e6')]
      if (attention, n, beta) == ('sa', '33', '20'): extra = [FARTHER.get((scheme, decay), '1e5')]
      for t in times.split() + extra:
        out.append((scheme, attention, n, beta, g0, r0, tau, alpha, decay, t))
  return out


PASSES = [{'dps': 115, 'panel': '1'}, {'dps': 135, 'panel': '0.7'}]


def one_pass(table, dps, panel):
  mp.dps = dps
  solver = Solver(panel)
  return [solver.solve(*row) for row in table]


def close(a, b, digits): return abs(a - b) <= mpf(10)**-digits * abs(b)


# ---- routes of another kind --------------------------------------------------------------------------------

def by_ode(scheme, attention, n, beta, g0, r0, tau, alpha, alpha_decay, t):
  """(log(1-g), log r) by mpmath.odefun (Taylor series) in y and log r, scheme table written out once more."""
  n, beta, tau, alpha, decay, t = int(n), mpf(beta), mpf(tau), mpf(alpha), mpf(alpha_decay), mpf(t)

  def field(name):
    def f(time, state):
      g, r, e = 1 - mp.exp(state[0]), mp.exp(state[1]), mp.exp(beta)
      o = mp.exp(beta * g)
      Z = e + (n - 1) * o if attention == 'sa' else mpf(n)
      a = (e + (n - 1) * o * g) / Z
      A = mp.sqrt(e * e + 2 * (n - 1) * e * o * g + (n - 1) * o * o * (1 + (n - 2) * g)) / Z
      s, rho = {'post': (1, 0), 'pre': (r, a), 'peri': (r * A, a / A), 'ngpt': (A * (1 + time)**decay / alpha, 0),
                'sqrt': (mp.sqrt(1 + time), 0), 'lns': (r * mp.sqrt(1 + time), a / mp.sqrt(1 + time))}[name]
      return [-2 / s * o / Z * (1 + (n - 1) * g), rho / r]
    return f

  start = [mp.log(1 - mpf(g0)), mp.log(mpf(r0))]
  if scheme != 'mix': return mp.odefun(field(scheme), 0, start)(t)
  middle = mp.odefun(field('post'), 0, start)(min(t, tau))
  return middle if t <= tau else mp.odefun(field('pre'), tau, middle)(t)


def nested(attention, n, beta, g0, r0, y, with_norm):
  """Time of Pre-LN (Peri-LN: with_norm) to y, tanh-sinh in y twice over: r = r0 exp int a dT, no Ei, no logit."""
  n, beta, r0, y0 = int(n), mpf(beta), mpf(r0), mp.log(1 - mpf(g0))

  def parts(v):
    g = 1 - mp.exp(v)
    e, o = mp.exp(beta), mp.exp(beta * g)
    Z = e + (n - 1) * o if attention == 'sa' else mpf(n)
    a = (e + (n - 1) * o * g) / Z
    A = mp.sqrt(e * e + 2 * (n - 1) * e * o * g + (n - 1) * o * o * (1 + (n - 2) * g)) / Z
    return a, A, Z / (2 * o * (1 + (n - 1) * g))                       # -dT/dy

  def log_r(v): return mp.log(r0) + mp.quad(lambda w: parts(w)[0] * parts(w)[2], [v, y0])

  def f(v):
    a, A, dT = parts(v)
    return mp.exp(log_r(v)) * (A if with_norm else 1) * dT

  return mp.quad(f, [y, y0]), log_r(y)


def checks(value):
  """value: row -> (y, log r). Prints one line per comparison."""
  def row(scheme, case, t, tau='2.5', alpha='1', decay='0'): return (scheme,) + case + (tau, alpha, decay, t)
  small, mild = ('sa', '2', '1', '0.1', '0.5'), ('sa', '8', '-0.1', '0', '2')
  three, usa, paper = ('sa', '3', '-2', '-0.3', '1'), ('usa', '4', '-1', '0.25', '2'), ('sa', '256', '5', '0', '1')

  mp.dps = 55
  ode_rows = [row('post', small, '0.3'), row('pre', small, '0.3'), row('peri', mild, '1'), row('lns', mild, '1'),
              row('mix', small, '0.3', tau='0.1'), row('sqrt', three, '1'), row('ngpt', three, '1', decay='0.5'),
              row('ngpt', small, '0.3', alpha='1.5', decay='0.5'), row('ngpt', three, '1', decay='1'),
              row('pre', usa, '0.5'), row('peri', usa, '0.5'), row('lns', usa, '0.5'),
              row('mix', usa, '0.5', tau='0.1'), row('sqrt', usa, '0.5'), row('peri', paper, '0.1')]
  for r in ode_rows:
    (y, log_r), (y_ode, log_r_ode) = value(r), by_ode(*r)
    assert close(y, y_ode, 48) and (log_r == log_r_ode or close(log_r, log_r_ode, 48)), r
  print(f'  {len(ode_rows)} rows against mpmath.odefun at 50 digits: agree to 48')

  mp.dps = 40
  nested_rows = [('pre', paper, '10'), ('peri', paper, '10'), ('pre', usa, '2'), ('peri', three, '4')]
  for scheme, case, t in nested_rows:
    y, log_r = value(row(scheme, case, t))
    t_nested, log_r_nested = nested(*case, y, scheme == 'peri')
    assert close(t_nested, mpf(t), 30) and close(log_r_nested, log_r, 30), (scheme, case)
  print(f'  {len(nested_rows)} rows against nested tanh-sinh quadrature in log(1-g) at 40 digits: agree to 30')

  mp.dps = 100
  # beta = 0: Post-LN x = x0 - 2 T; Pre-LN r^2 (1-g) = r0^2 (1-g0); nGPT |mean| = tanh(t + artanh |mean_0|)
  case, g0, n = ('sa', '5', '0', '0.2', '1'), mpf('0.2'), 5
  ratio = (1 - g0) / (1 + (n - 1) * g0) * mp.exp(-6)
  assert close(mp.exp(value(row('post', case, '3'))[0]), n * ratio / (1 + (n - 1) * ratio), 58)
  y, log_r = value(row('pre', case, '3'))
  assert close(mp.exp(y + 2 * log_r), 1 - g0, 58)
  mean = mp.tanh(3 + mp.atanh(mp.sqrt((1 + (n - 1) * g0) / n)))
  assert close(mp.exp(value(row('ngpt', case, '3'))[0]), 1 - (n * mean**2 - 1) / (n - 1), 57)
  # beta = 0, g0 = 0: Peri-LN r^2 = r0^2 (n-1)/n + (t + r0/sqrt n)^2, g = 1 - r0^2/r^2
  y, log_r = Solver('1').solve('peri', 'sa', '5', '0', '0', '1.5', '2.5', '1', '0', '3')
  r2 = mpf('1.5')**2 * 4 / 5 + (3 + mpf('1.5') / mp.sqrt(5))**2
  assert close(2 * log_r, mp.log(r2), 60) and close(y, mp.log(mpf('2.25') / r2), 60)
  # degree 0 in A: Peri-LN and nGPT do not see the difference of SA and USA
  for scheme in ('peri', 'ngpt'):
    args = ('16', '1.5', '0', '1', '2.5', '1', '0', '0.5')
    ours, other = Solver('1').solve(scheme, 'sa', *args), value((scheme, 'usa') + args)
    assert close(ours[0], other[0], 58) and abs(ours[1] - other[1]) <= mpf(10)**-58 * (1 + abs(ours[1]))
  print('  beta = 0 closed forms (Post, Pre, Peri, nGPT) and SA = USA for Peri and nGPT: agree to 57')


def text(v): return '0' if v == 0 else mp.nstr(v, DIGITS, strip_zeros=False)


def main():
  began, table = time.time(), rows()
  first = one_pass(table, **PASSES[0])
  second = one_pass(table, **PASSES[1])
  for r, a, b in zip(table, first, second):
    for p, q in zip(a, b): assert p == q or close(p, q, AGREE), (r, a, b)
  print(f'{len(table)} rows, two passes agree to {AGREE} digits; {time.time() - began:.0f} s')
  known = dict(zip(table, second))
  checks(known.__getitem__)
  mp.dps = PASSES[1]['dps']
  comments = [
      f'program: tests/reference/equiangular.py (Python {sys.version.split()[0]}, mpmath {mpmath.__version__}, '
      f'backend {mpmath.libmp.BACKEND})',
      f'working_precision: {PASSES[0]["dps"]} and {PASSES[1]["dps"]} decimal digits, two passes agreeing to {AGREE}',
      'route: clock t(g) by Gauss-Legendre quadrature in log((1-g)/(U-(1-g))), radius by exponential integrals, '
      'inverted by Newton; no ODE integrator',
      'scheme attention: post pre mix peri ngpt sqrt lns, sa or usa; all numbers of the run as exact decimal text',
      'alpha(t): alpha (1+t)^(-alpha_decay), used by ngpt; tau used by mix (post until t = tau included, then pre)',
      'log_one_minus_g: natural log of 1-g at time t; log_r: natural log of r; digits: correct significant digits']
  path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'equiangular.csv')
  with open(path, 'w') as out:
    out.write(f'# skip: {len(comments) + 1}\n' + ''.join(f'# {c}\n' for c in comments))
    out.write('scheme,attention,n,beta,g0,r0,tau,alpha,alpha_decay,t,digits,log_one_minus_g,log_r\n')
    for r in table: out.write(','.join(r + (str(DIGITS), text(known[r][0]), text(known[r][1]))) + '\n')
  print(f'{time.time() - began:.0f} s in all')


if __name__ == '__main__': main()
