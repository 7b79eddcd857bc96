#!/usr/bin/python3
"""Reference particle runs: writes particles_ref.csv and particles_matrices.csv beside this file.

Token j has direction theta_j on the unit sphere, radius r_j, mass m_j (sum 1). With heads h and their matrices,

    A_j = sum_h W_h sum_k w_jk V_h theta_k,     d theta_j/dt = (A_j - <theta_j,A_j> theta_j) / s_j,   dr_j/dt = rho_j
    sa       w_jk = m_k e^{l_jk} / sum_l m_l e^{l_jl},   l_jk = beta <Q_h theta_j, K_h theta_k>
    usa      w_jk = m_k e^{l_jk}
    causal   as sa, both sums over k <= j
    hardmax  w_jk = 1 at the largest l_jk with k != j (no ties in these runs)

and s, rho of the scheme, see regulation(). Unknowns theta and log r, plain formulas, number type gmpy2.mpfr.
Integrator: Gragg's modified midpoint rule with Richardson extrapolation in h^2, fixed steps and fixed order; every
run is made with two different (steps, columns) and both must agree to 10^-AGREE. The step is never followed by a
normalisation, so |theta| = 1 at the end is a check of its own. checks() compares with mpmath.odefun and closed forms.
"""
import os
import sys
import time

import gmpy2
import mpmath
from gmpy2 import mpfr
from mpmath import mp

DIGITS = 30    # significant digits written
AGREE = 32     # absolute agreement of the two passes, for theta and log r
BITS = 230     # working precision, about 69 digits
PASSES = [(16, 15), (20, 17)]   # steps per unit of time (more for large beta and for usa), extrapolation columns


def dot(a, b): return sum((x * y for x, y in zip(a, b)), mpfr(0))
def times(M, v): return v if M is None else [dot(row, v) for row in M]


def regulation(run, piece, t, r, a, norm):
  """(s, rho) of one token. piece: run.scheme, or the active half of Mix-LN."""
  root = gmpy2.sqrt(1 + t)
  if piece == 'post': return mpfr(1), mpfr(0)
  if piece == 'pre': return r, a
  if piece == 'peri': return r * norm, a / norm
  if piece == 'ngpt': return norm * gmpy2.exp(run.alpha_decay * gmpy2.log(1 + t)) / run.alpha, mpfr(0)
  if piece == 'sqrt': return root, mpfr(0)
  if piece == 'lns': return r * root, a / root
  raise ValueError(piece)


class Run:
  """Start data, kept as the exact text that the CSV shows."""

  def __init__(self, name, scheme, attention, beta, starts, masses, radii, heads=None, t='1', tau='2.5', alpha='1',
               alpha_decay='0'):
    self.name, self.scheme, self.attention = name, scheme, attention
    self.starts, self.n, self.d = starts, len(starts), len(starts[0].split())
    self.texts = {'beta': beta, 'tau': tau, 'alpha': alpha, 'alpha_decay': alpha_decay, 't': t}
    self.beta, self.tau, self.alpha, self.alpha_decay, self.t = (mpfr(v) for v in self.texts.values())
    self.mass_texts, self.r0_texts = masses.split(), radii.split()
    self.masses = [mpfr(m) for m in self.mass_texts]
    assert abs(sum(self.masses) - 1) < mpfr(10)**-60
    self.head_texts = heads or []        # per head: {'Q': [rows as text], ...}, a matrix not named is the identity
    self.heads = [{k: [[mpfr(v) for v in row.split()] for row in M] for k, M in h.items()} for h in self.head_texts]
    self.winners = {}                    # hardmax: the arg max must not change along the run

  def start(self):
    theta = []
    for text in self.starts:
      v = [mpfr(c) for c in text.split()]
      theta += [c / gmpy2.sqrt(dot(v, v)) for c in v]
    return theta + [gmpy2.log(mpfr(r)) for r in self.r0_texts]

  def weights(self, j, logits):
    ks = range(j + 1) if self.attention == 'causal' else range(self.n)
    if self.attention == 'hardmax':
      best = max((k for k in ks if k != j), key=lambda k: logits[k])
      assert self.winners.setdefault(j, best) == best, self.name
      return {best: mpfr(1)}
    w = {k: self.masses[k] * gmpy2.exp(logits[k]) for k in ks}
    total = mpfr(1) if self.attention == 'usa' else sum(w.values())
    return {k: v / total for k, v in w.items()}

  def attention_vectors(self, theta):
    A = [[mpfr(0)] * self.d for _ in theta]
    for head in self.heads or [{}]:
      q, k, v = ([times(head.get(M), x) for x in theta] for M in 'QKV')
      for j in range(self.n):
        w = self.weights(j, [self.beta * dot(q[j], k[l]) for l in range(self.n)])
        sum_j = [sum((w[l] * v[l][c] for l in w), mpfr(0)) for c in range(self.d)]
        A[j] = [x + y for x, y in zip(A[j], times(head.get('W'), sum_j))]
    return A

  def field(self, piece, t, state):
    n, d = self.n, self.d
    theta = [state[j * d:(j + 1) * d] for j in range(n)]
    d_theta, d_log_r = [], []
    for j, A in enumerate(self.attention_vectors(theta)):
      a, r = dot(theta[j], A), gmpy2.exp(state[n * d + j])
      s, rho = regulation(self, piece, t, r, a, gmpy2.sqrt(dot(A, A)))
      d_theta += [(x - a * y) / s for x, y in zip(A, theta[j])]
      d_log_r.append(rho / r)
    return d_theta + d_log_r

  def pieces(self):
    """[(scheme, t_begin, t_end)]"""
    if self.scheme != 'mix': return [(self.scheme, mpfr(0), self.t)]
    return [('post', mpfr(0), self.tau), ('pre', self.tau, self.t)]

  def solve(self, steps_per_unit, columns):
    state, refine = self.start(), max(1, abs(self.beta) / 5) * (2 if self.attention == 'usa' else 1)
    for piece, begin, end in self.pieces():
      steps = int(gmpy2.ceil((end - begin) * steps_per_unit * refine))
      for i in range(steps):
        a, b = (begin + (end - begin) * k / steps for k in (i, i + 1))
        state = extrapolate(lambda t, x: self.field(piece, t, x), a, b - a, state, columns)
    return state


def extrapolate(f, t, H, x, columns):
  """One step of length H: midpoint rule with 2, 4, .., 2 columns substeps, Neville's scheme in h^2."""
  first, row = f(t, x), []
  for i in range(1, columns + 1):
    count, before = 2 * i, row
    h = H / count
    a, b = x, [u + h * v for u, v in zip(x, first)]
    for k in range(1, count):
      a, b = b, [u + 2 * h * v for u, v in zip(a, f(t + k * h, b))]
    row = [[(u + v + h * w) / 2 for u, v, w in zip(a, b, f(t + H, b))]]
    for k in range(1, i):
      ratio = mpfr(i)**2 / mpfr(i - k)**2 - 1
      row.append([u + (u - v) / ratio for u, v in zip(row[k - 1], before[k - 1])])
  return row[-1]


# ---- the runs ----------------------------------------------------------------------------------------------

FOUR = ['3 1 -2', '-1 2 2', '1 -4 1', '2 2 1']
FOUR_MASSES, FOUR_RADII = '0.1 0.2 0.3 0.4', '0.5 1 2 1.5'
Q = ['0.5 -0.25 0', '0.75 1 0.25', '0 0.5 -1']
K = ['1 0 0.5', '-0.5 0.75 0', '0.25 0 1.25']
V = ['0.75 0.5 0', '-0.25 1 0.5', '0 -0.5 0.5']
V2 = ['0 1 0', '-1 0.5 0', '0.25 0 -0.75']
W = ['1 0 0.25', '0 0.5 0', '-0.25 0 1']


def four(name, scheme, attention='sa', beta='2', **more):
  return Run(name, scheme, attention, beta, FOUR, FOUR_MASSES, FOUR_RADII, **more)


def runs():
  uniform5 = ['1 0', '1 1', '-1 3', '-2 1', '-1 -1']
  eight = ['1 0 0 0 1', '0 1 0 0 2', '0 0 1 0 -1', '0 0 0 1 1', '1 1 0 0 0', '0 -1 1 0 0.5', '1 0 2 -1 0', '2 1 1 1 1']
  return [
      Run('plane_post', 'post', 'sa', '2', ['1 0', '1 2', '-1 3'], '0.25 0.25 0.5', '1 1 1'),
      Run('plane_peri', 'peri', 'sa', '2', ['1 0', '1 2', '-1 3'], '0.25 0.25 0.5', '0.5 1 2'),
      four('four_post', 'post'), four('four_pre', 'pre'), four('four_mix', 'mix', tau='0.5'),
      four('four_peri', 'peri'), four('four_ngpt', 'ngpt'), four('four_ngpt_decay', 'ngpt', alpha='1.5', alpha_decay='0.5'),
      four('four_sqrt', 'sqrt'), four('four_lns', 'lns'),
      four('causal_post', 'post', 'causal'), four('causal_pre', 'pre', 'causal'), four('causal_peri', 'peri', 'causal'),
      four('usa_post', 'post', 'usa', '1.5'), four('usa_pre', 'pre', 'usa', '1.5'), four('usa_peri', 'peri', 'usa', '1.5'),
      four('usa_negative', 'lns', 'usa', '-1.5'), four('hardmax_post', 'post', 'hardmax'),
      four('hardmax_pre', 'pre', 'hardmax'),
      four('qkv_post', 'post', heads=[{'Q': Q, 'K': K, 'V': V}]), four('qkv_pre', 'pre', heads=[{'Q': Q, 'K': K, 'V': V}]),
      four('qkv_peri', 'peri', heads=[{'Q': Q, 'K': K, 'V': V}]),
      four('qkv_ngpt', 'ngpt', heads=[{'Q': Q, 'K': K, 'V': V}]),
      four('qkv_usa_pre', 'pre', 'usa', heads=[{'Q': Q, 'K': K, 'V': V}]),
      four('qkv_causal_sqrt', 'sqrt', 'causal', heads=[{'Q': Q, 'K': K, 'V': V}]),
      four('two_heads_peri', 'peri', heads=[{'Q': Q, 'K': K, 'V': V}, {'Q': K, 'V': V2, 'W': W}]),
      four('attention_to_minus', 'post', heads=[{'V': ['-1 0 0', '0 -1 0', '0 0 -1']}]),
      four('negative_beta', 'pre', beta='-3'),
      Run('beta_50', 'post', 'sa', '50', uniform5, '0.2 0.2 0.2 0.2 0.2', '1 1 1 1 1'),
      Run('massless', 'pre', 'sa', '1', FOUR[:3], '0 0.5 0.5', '1 2 0.5'),
      Run('line', 'pre', 'sa', '1', ['1', '-1', '2'], '0.25 0.25 0.5', '1 2 3'),
      Run('one_token', 'post', 'sa', '1', ['1 2 -1'], '1', '2', heads=[{'V': V}]),
      Run('one_token_pre', 'pre', 'sa', '1', ['1 2 -1'], '1', '2'),
      Run('eight_peri', 'peri', 'sa', '4', eight, ' '.join(['0.125'] * 8), '1 1 1 1 2 2 2 2', t='0.5'),
  ]


# ---- routes of another kind --------------------------------------------------------------------------------

def by_odefun(run):
  """A run with sa, Q = K = V = identity and scheme peri or lns by mpmath.odefun (Taylor series) at 32 digits, its
  field written once more in mpf (odefun needs thousands of bits inside)."""
  assert run.attention == 'sa' and not run.heads
  mp.dps = 32
  n, d, beta = run.n, run.d, mp.mpf(run.texts['beta'])

  def f(t, x):
    th = mp.matrix([[x[j * d + c] for c in range(d)] for j in range(n)])
    G = th * th.T
    E = mp.matrix(n, n)
    for j in range(n):
      for k in range(n): E[j, k] = mp.mpf(run.mass_texts[k]) * mp.exp(beta * G[j, k])
    out, logs = [], []
    for j in range(n):
      A = E[j, :] * th / mp.fsum(E[j, :])
      a, norm, r = mp.fdot(A, th[j, :]), mp.sqrt(mp.fdot(A, A)), mp.exp(x[n * d + j])
      s = r * (norm if run.scheme == 'peri' else mp.sqrt(t + 1))
      out += [(A[c] - a * th[j, c]) / s for c in range(d)]
      logs.append(a / s)                        # both have r'/r = a/s
    return out + logs

  start = [mp.mpf(c) for text in run.starts for c in text.split()]
  for j in range(n):
    norm = mp.sqrt(mp.fsum(c * c for c in start[j * d:(j + 1) * d]))
    start[j * d:(j + 1) * d] = [c / norm for c in start[j * d:(j + 1) * d]]
  return mp.odefun(f, 0, start + [mp.log(mp.mpf(r)) for r in run.r0_texts])(mp.mpf(run.texts['t']))


def checks(known):
  """known: name -> (run, state)"""
  # One token: theta = e^{tV} theta_0 normalised (Post-LN); r' = 1 for V = I (Pre-LN).
  mp.dps = 60
  run, state = known['one_token']
  flow = mp.expm(mp.matrix([[mp.mpf(v) for v in row.split()] for row in V])) * mp.matrix([1, 2, -1])
  for c in range(3): assert abs(mp.mpf(str(state[c])) - flow[c] / mp.norm(flow)) < mp.mpf(10)**-AGREE
  assert abs(known['one_token_pre'][1][3] - gmpy2.log(mpfr(3))) < mpfr(10)**-AGREE
  # On a line nothing turns; the two tokens at +1 have one velocity of r.
  line = known['line'][1]
  assert line[:3] == [1, -1, 1]
  assert abs((gmpy2.exp(line[5]) - 3) - (gmpy2.exp(line[3]) - 1)) < mpfr(10)**-AGREE
  # The first causal token sees only itself: at rest, r' = 1 under Pre-LN.
  run, state = known['causal_pre']
  assert abs(state[run.n * run.d] - gmpy2.log(mpfr('1.5'))) < mpfr(10)**-AGREE
  print('  closed forms (one token, line, first causal token) agree')
  # Orthonormal start against the quadratures of equiangular.py.
  from equiangular import Solver
  mp.dps = 80
  for scheme in ('post', 'pre', 'mix', 'peri', 'ngpt', 'sqrt', 'lns'):
    for attention in ('sa', 'usa'):
      run = Run('basis', scheme, attention, '2', ['1 0 0 0', '0 1 0 0', '0 0 1 0', '0 0 0 1'], '0.25 0.25 0.25 0.25',
                '1.5 1.5 1.5 1.5', t='0.5', tau='0.25', alpha='1.5', alpha_decay='0.5')
      state = run.solve(16, 12)
      gap = 1 - mp.mpf(str(dot(state[0:4], state[4:8])))
      y, log_r = Solver('1').solve(scheme, attention, '4', '2', '0', '1.5', '0.25', '1.5', '0.5', '0.5')
      assert abs(mp.log(gap) - y) < mp.mpf(10)**-25 and abs(mp.mpf(str(state[16])) - log_r) < mp.mpf(10)**-25, scheme
  print('  orthonormal start, 7 schemes, sa and usa, against the equiangular quadratures: agree to 25 digits')
  for name in ('plane_peri', 'four_lns'):
    run, state = known[name]
    for a, b in zip(by_odefun(run), state): assert abs(a - mp.mpf(str(b))) < mp.mpf(10)**-28, name
  print('  plane_peri and four_lns against mpmath.odefun: agree to 28 digits')


def text(v): return '0' if v == 0 else mp.nstr(mp.mpf(str(v)), DIGITS, strip_zeros=False)


def write(path, comments, header, lines):
  with open(path, 'w') as out:
    out.write(f'# skip: {len(comments) + 1}\n' + ''.join(f'# {c}\n' for c in comments))
    out.write(header + '\n' + ''.join(line + '\n' for line in lines))


def main():
  gmpy2.get_context().precision = BITS
  began, known, worst, defect = time.time(), {}, mpfr(0), mpfr(0)
  for run in runs():
    a, state = (run.solve(*p) for p in PASSES)
    gap = max(abs(u - v) for u, v in zip(a, state))
    assert gap < mpfr(10)**-AGREE, (run.name, gap)
    for j in range(run.n):
      theta = state[j * run.d:(j + 1) * run.d]
      defect = max(defect, abs(dot(theta, theta) - 1))
    worst = max(worst, gap)
    known[run.name] = (run, state)
  assert defect < mpfr(10)**-AGREE
  print(f'{len(known)} runs, passes differ by at most {float(worst):.1e}, | |theta|^2 - 1 | <= {float(defect):.1e}; '
        f'{time.time() - began:.0f} s')
  checks(known)
  mp.dps = 60
  here = os.path.dirname(os.path.abspath(__file__))
  program = (f'program: tests/reference/particles_ref.py (Python {sys.version.split()[0]}, gmpy2 {gmpy2.version()}, '
             f'mpmath {mpmath.__version__})')
  lines, matrices = [], []
  for run, state in known.values():
    n, d = run.n, run.d
    for j in range(n):
      lines.append(','.join([run.name, run.scheme, run.attention, *run.texts.values(), str(len(run.head_texts)),
                             str(j + 1), run.mass_texts[j], run.r0_texts[j], run.starts[j],
                             ' '.join(text(v) for v in state[j * d:(j + 1) * d]), text(state[n * d + j])]))
    for h, head in enumerate(run.head_texts, 1):
      for name, M in head.items():
        matrices += [f'{run.name},{h},{name},{i},{row}' for i, row in enumerate(M, 1)]
  write(os.path.join(here, 'particles_ref.csv'), [
      program,
      f'route: extrapolated midpoint rule, {BITS} bits, two step and order choices agreeing to 1e-{AGREE} (absolute)',
      'layout: one row per run and token; token counts from 1, rows of a run are consecutive and in order',
      'start: the vector before normalisation, components separated by one space; r0 is the radius (not |start|)',
      f'theta and log_r: at time t, absolute error below 1e-{DIGITS}; alpha(t) = alpha (1+t)^(-alpha_decay) for ngpt',
      'heads: 0 means Q = K = V = identity, else see particles_matrices.csv; masses sum to 1'],
      'run,scheme,attention,beta,tau,alpha,alpha_decay,t,heads,token,mass,r0,start,theta,log_r', lines)
  write(os.path.join(here, 'particles_matrices.csv'), [
      program, 'layout: one row per run, head, matrix and matrix row (all from 1); entries separated by one space',
      'A_j = sum over heads W sum_k w_jk V theta_k, logits beta <Q theta_j, K theta_k>; a matrix not listed is the identity'],
      'run,head,matrix,row,entries', matrices)
  print(f'{time.time() - began:.0f} s in all')


if __name__ == '__main__': main()
