#!/usr/bin/python3
"""Refines the published 30-digit coefficients of DOP853 and writes dop853_table.inc.

    /usr/bin/python3 dop853_refine.py          (Debian's Python with python3-mpmath, python3-gmpy2; 3 seconds)

Reads dop853_published.txt and writes dop853_table.inc, both beside this file. [HNW]: E. Hairer, S. P. Norsett,
G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., sections II.5 and II.6. Stages count from 0.

With the nodes in closed form, the simplifying assumptions of the construction leave no freedom: their Jacobian
has full column rank, so the solution next to the published values is isolated and Newton's method finds all its
digits. The order conditions themselves, which follow, are checked by tests/lib/integrators/tableau_test.cpp.
"""
from fractions import Fraction
from pathlib import Path

from mpmath import mp, mpf

HERE = Path(__file__).resolve().parent
STAGES = 12  # of the step; stage 12 is the derivative at its end, 13..15 serve the dense output
TOTAL = 16
DIGITS = 140  # written
mp.dps = 200  # computed: the Jacobian's condition number, 5e8, is squared nowhere

RESIDUAL = mpf(10) ** -135  # allowed in every condition, with the values as written
# Allowed distance to the published values, relative to the largest in their row. Most agree in all printed
# digits; e5 was printed with 28, and d had lost two or three of its 29 to the rounding of its computation.
PUBLISHED = mpf("2e-28")


# --- Linear algebra -------------------------------------------------------------------------------------------

def least_squares(rows, rhs):
    """The x with rows x = rhs, for an overdetermined but consistent system, by Householder QR with column
    pivoting. Raises if the columns are dependent: the conditions would leave freedom."""
    a = [list(row) + [value] for row, value in zip(rows, rhs)]
    m, n = len(rows), len(rows[0])
    order = list(range(n))
    first = None

    def norm(j):  # of what the first k reflections left of column j
        return mp.sqrt(mp.fsum(a[i][j] ** 2 for i in range(k, m)))

    for k in range(n):
        pivot = max(range(k, n), key=norm)
        for row in a:
            row[k], row[pivot] = row[pivot], row[k]
        order[k], order[pivot] = order[pivot], order[k]
        alpha = norm(k)
        first = first or alpha
        if alpha < first * mpf(10) ** -12:  # the true ones are above 1e-9, dependence would leave 1e-190
            raise ArithmeticError(f"rank {k} of {n}: the conditions leave freedom")
        alpha = -alpha if a[k][k] > 0 else alpha
        v = [a[i][k] for i in range(k, m)]
        v[0] -= alpha
        square = mp.fsum(x * x for x in v)
        for j in range(k, n + 1):
            factor = 2 * mp.fsum(v[i] * a[k + i][j] for i in range(m - k)) / square
            for i in range(m - k):
                a[k + i][j] -= factor * v[i]
    x = [mpf(0)] * n
    for k in reversed(range(n)):
        value = (a[k][n] - mp.fsum(a[k][j] * x[order[j]] for j in range(k + 1, n))) / a[k][k]
        x[order[k]] = value
    return x


def simplest_between(low, high):
    """The fraction of smallest denominator in [low, high], 0 < low < high, by continued fractions."""
    whole = -(-low.numerator // low.denominator)  # ceil
    if whole <= high:
        return Fraction(whole)
    whole -= 1
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


# --- Published values and nodes -------------------------------------------------------------------------------

def read_published():
    text = {}
    for line in (HERE / "dop853_published.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, value = (part.strip() for part in line.split("="))
            text[name] = value
    return text


def nodes():
    """[HNW] II.5. C(5) in stage 5 makes c_3, c_4 the zeros of 10 x^2 - 12 x + 3 times c_5; C(3) in stages 3 and
    2 makes c_2 = 2/3 c_3 and c_1 = 2/3 c_2. The others are rational; a wrong one ends in an exception."""
    root = mp.sqrt(6)
    c3, c4 = (6 - root) / 30, (6 + root) / 30
    rational = [(1, 3), (1, 4), (4, 13), (127, 195), (3, 5), (6, 7), (1, 1), (1, 1), (1, 10), (1, 5), (7, 9)]
    return [mpf(0), c3 * 4 / 9, c3 * 2 / 3, c3, c4] + [mpf(p) / q for p, q in rational]


def power(c, k):
    """c^k with 0^0 = 1."""
    return mpf(1) if k == 0 else c ** k


# --- The step: a and b ----------------------------------------------------------------------------------------

def step_conditions(a, c):
    """Residuals of the simplifying assumptions, with b = a[12]. Every residual is affine in each single entry."""
    b = a[STAGES]
    inner = range(STAGES)
    total = lambda weights, values: mp.fsum(weights[i] * values[i] for i in inner)
    column = lambda j: [a[i][j] for i in inner]
    r = {}
    for i in range(1, STAGES):  # C(q): sum_j a_ij c_j^{q-1} = c_i^q / q
        for q in range(1, 2 if i == 1 else 4 if i <= 4 else 6):
            r[f"C({q}) in stage {i}"] = total(a[i], [power(x, q - 1) for x in c]) - c[i] ** q / q
    for q in range(1, 9):  # B(8)
        r[f"B({q})"] = total(b, [power(x, q - 1) for x in c]) - mpf(1) / q
    for j in inner:  # D(1); columns 1 and 2 of a are zero where b is not, and so is b there
        if j not in (1, 2):
            r[f"D(1) in stage {j}"] = total(b, column(j)) - b[j] * (1 - c[j])
    for j in (3, 4):  # stages 3 and 4 satisfy C(3) only and must not be seen
        for k in (1, 2):
            r[f"sum b c^{k} a_{j}"] = total([b[i] * c[i] ** k for i in inner], column(j))
        r[f"sum b c a a_{j}"] = total([b[i] * c[i] for i in inner], [total(a[i], column(j)) for i in inner])
    r["sum b c a c^5"] = total([b[i] * c[i] for i in inner],
                               [total(a[i], [x ** 5 for x in c]) for i in inner]) - mpf(1) / 48
    return r


def refine_step(a, c, pattern):
    """Newton in the entries `pattern` of a. A difference over a step of 1 is the exact derivative of an affine
    function."""
    for _ in range(6):
        before = step_conditions(a, c)
        columns = []
        for i, j in pattern:
            a[i][j] += 1
            after = step_conditions(a, c)
            a[i][j] -= 1
            columns.append([after[name] - before[name] for name in before])
        update = least_squares(list(zip(*columns)), [-value for value in before.values()])
        for (i, j), change in zip(pattern, update):
            a[i][j] += change
        if max(map(abs, update)) < mpf(10) ** (20 - mp.dps):
            return
    raise ArithmeticError("Newton's method did not converge")


# --- Dense output: stages 13..15 and d ------------------------------------------------------------------------

def extra_stage_conditions(a, c, i, support):
    """(row of coefficients of a_ij for j in support, right side): C(1)..C(6), and stages 3, 4 remain unseen."""
    conditions = {}
    for q in range(1, 7):
        conditions[f"C({q}) in stage {i}"] = ([power(c[j], q - 1) for j in support], c[i] ** q / q)
    for k in (3, 4):
        conditions[f"sum a a_{k} in stage {i}"] = ([a[j][k] for j in support], mpf(0))
    return conditions


def interpolation_pieces():
    """The polynomials p_0..p_6 in theta, lowest power first, of  x + sum_k F_k p_k(theta)  [HNW] II.6."""
    pieces = []
    for k in range(7):
        p = [mpf(0)] * (k // 2 + 1) + [mpf(1)]
        for _ in range((k + 1) // 2):
            p = [x - y for x, y in zip(p + [mpf(0)], [mpf(0)] + p)]
        pieces.append(p + [mpf(0)] * (8 - len(p)))
    return pieces


def interpolation_conditions(a, c):
    """(phi, rho, value): sum_i b_i(theta) phi_i = value theta^rho, what is left of order 7 once stages 13..15
    satisfy the conditions above."""
    every = range(TOTAL)
    apply = lambda values: [mp.fsum(a[i][j] * values[j] for j in every) for i in every]
    column = lambda j: [a[i][j] for i in every]
    conditions = {}
    for k in range(7):
        conditions[f"sum b(theta) c^{k}"] = ([power(x, k) for x in c], k + 1, mpf(1) / (k + 1))
    for j in (3, 4):
        conditions[f"sum b(theta) a_{j}"] = (column(j), 1, mpf(0))
        conditions[f"sum b(theta) c a_{j}"] = ([x * y for x, y in zip(c, column(j))], 1, mpf(0))
        conditions[f"sum b(theta) a a_{j}"] = (apply(column(j)), 1, mpf(0))
    conditions["sum b(theta) a c^5"] = (apply([x ** 5 for x in c]), 7, mpf(1) / 42)
    return conditions


def coefficient_targets(phi, rho, value, b):
    """sum_i d_ki phi_i for k = 0..3, from the coefficients of theta^0..theta^7 in one interpolation condition.
    The three Hermite pieces F_0 = dx, F_1 = h f_0 - dx, F_2 = 2 dx - h (f_0 + f_1) are known."""
    pieces = interpolation_pieces()
    dx = mp.fsum(b[j] * phi[j] for j in range(STAGES))
    known = [dx, phi[0] - dx, 2 * dx - phi[0] - phi[STAGES]]
    rest = [-mp.fsum(known[k] * pieces[k][n] for k in range(3)) for n in range(8)]
    rest[rho] += value
    return least_squares([[pieces[k][n] for k in range(3, 7)] for n in range(8)], rest)


# --- Error weights --------------------------------------------------------------------------------------------

def solve_exactly(rows, rhs):
    """Gauss-Jordan elimination in fractions, square and regular."""
    a = [list(row) + [value] for row, value in zip(rows, rhs)]
    for k in range(len(a)):
        p = next(i for i in range(k, len(a)) if a[i][k])
        a[k], a[p] = a[p], a[k]
        a[k] = [x / a[k][k] for x in a[k]]
        for i in range(len(a)):
            if i != k:
                a[i] = [x - a[i][k] * y for x, y in zip(a[i], a[k])]
    return [row[-1] for row in a]


def error_weights(published):
    """Exact fractions b - b3 and b - b5, as dicts over their stages.

    The stages with b != 0 satisfy C(5), so both embedded methods have their order as soon as their quadratures
    do. b3 has three stages and is determined. b5 has eight for five conditions; its published digits show simple
    multiples of b (e5_11 = -b_11 / 2), and the simplest ones within the published accuracy satisfy all five
    conditions exactly, which wrong ones could not."""
    fraction = lambda name: Fraction(published[name].replace("e", "E"))
    stages = [0, 5, 6, 7, 8, 9, 10, 11]
    c = dict(zip(stages, map(Fraction, ("0", "1/3", "1/4", "4/13", "127/195", "3/5", "6/7", "1"))))
    quadrature = lambda support, order: ([[c[j] ** q for j in support] for q in range(order)],
                                         [Fraction(1, q + 1) for q in range(order)])
    b = dict(zip(stages, solve_exactly(*quadrature(stages, 8))))
    b3 = dict(zip((0, 8, 11), solve_exactly(*quadrature((0, 8, 11), 3))))
    e3 = {j: b[j] - b3.get(j, 0) for j in stages}
    e5 = {}
    for j in stages:
        ratio = fraction(f"e5_{j}") / b[j]
        radius = abs(ratio) * Fraction(1, 10 ** 27)
        simplest = simplest_between(abs(ratio) - radius, abs(ratio) + radius)
        e5[j] = b[j] * (simplest if ratio > 0 else -simplest)
    for q in range(5):
        if sum(e5[j] * c[j] ** q for j in stages) != 0:
            raise ArithmeticError(f"the weights e5 miss the quadrature of c^{q}")
    for j, weight in b3.items():
        if abs(weight - fraction(f"b3_{j}")) > Fraction(1, 10 ** 29):
            raise ArithmeticError(f"b3_{j} differs from the published one")
    return e3, e5


# --- All of it, checked and written ---------------------------------------------------------------------------

def refine(published):
    """The table as {name: mpf}, names as in dop853_published.txt, without entries that are zero."""
    value = lambda name: mpf(published[name])
    entries = lambda rows: [(i, j) for i in rows for j in range(i) if f"a_{i}_{j}" in published]
    c = nodes()
    a = [[mpf(0)] * TOTAL for _ in range(TOTAL)]
    for i, j in entries(range(1, TOTAL)):
        a[i][j] = value(f"a_{i}_{j}")
    refine_step(a, c, entries(range(1, STAGES + 1)))
    for i in range(STAGES + 1, TOTAL):
        support = [j for _, j in entries([i])]
        solution = least_squares(*zip(*extra_stage_conditions(a, c, i, support).values()))
        for j, x in zip(support, solution):
            a[i][j] = x
    support = [j for j in range(TOTAL) if f"d_0_{j}" in published]
    conditions = interpolation_conditions(a, c)
    rows = [[phi[j] for j in support] for phi, _, _ in conditions.values()]
    targets = [coefficient_targets(*condition, a[STAGES]) for condition in conditions.values()]
    e3, e5 = error_weights(published)
    exact = lambda x: mpf(x.numerator) / x.denominator

    table = {f"c_{i}": x for i, x in enumerate(c)}
    table |= {f"a_{i}_{j}": a[i][j] for i, j in entries(range(1, TOTAL))}
    table |= {f"e3_{j}": exact(x) for j, x in e3.items()}
    table |= {f"e5_{j}": exact(x) for j, x in e5.items()}
    for k in range(4):
        solution = least_squares(rows, [target[k] for target in targets])
        table |= {f"d_{k}_{j}": x for j, x in zip(support, solution)}
    return {name: x for name, x in table.items() if x != 0}


def check(text, published):
    """Raises unless the numbers as written satisfy every condition and agree with the published ones. Returns the
    largest residual and the largest difference to the published values, relative to the largest in their row."""
    value = lambda name: mpf(text.get(name, 0))
    a = [[value(f"a_{i}_{j}") for j in range(TOTAL)] for i in range(TOTAL)]
    b, c = a[STAGES], [value(f"c_{i}") for i in range(TOTAL)]
    residuals = {f"node {i}": x - y for i, (x, y) in enumerate(zip(c, nodes()))}
    residuals |= step_conditions(a, c)
    for i in range(STAGES + 1, TOTAL):
        for name, (row, right) in extra_stage_conditions(a, c, i, range(TOTAL)).items():
            residuals[name] = mp.fsum(x * y for x, y in zip(row, a[i])) - right
    for name, condition in interpolation_conditions(a, c).items():
        for k, target in enumerate(coefficient_targets(*condition, b)):
            sum_ = mp.fsum(value(f"d_{k}_{j}") * condition[0][j] for j in range(TOTAL))
            residuals[f"{name}, piece {k + 3}"] = sum_ - target
    for name, order in (("e3", 3), ("e5", 5)):
        for q in range(order):
            residuals[f"{name} c^{q}"] = mp.fsum(value(f"{name}_{j}") * power(c[j], q) for j in range(STAGES))
    worst = max(residuals, key=lambda name: abs(residuals[name]))
    if abs(residuals[worst]) > RESIDUAL:
        raise ArithmeticError(f"{worst}: residual {mp.nstr(residuals[worst], 3)}")

    row = lambda name: name.rsplit("_", 1)[0]
    scale = {}
    for name, known in published.items():
        scale[row(name)] = max(scale.get(row(name), 0), abs(mpf(known)))
    difference = {}
    for name, known in published.items():
        refined = b[int(name[3:])] - value("e3" + name[2:]) if name.startswith("b3_") else value(name)
        difference[name] = abs(refined - mpf(known)) / scale[row(name)]
    farthest = max(difference, key=difference.get)
    if difference[farthest] > PUBLISHED:
        raise ArithmeticError(f"{farthest} is not the published one, by {mp.nstr(difference[farthest], 3)}")
    return abs(residuals[worst]), difference[farthest]


HEADER = """\
// The Dormand-Prince pair 8(5,3) "DOP853" with dense output of order 7, to {digits} significant digits. Data
// only; include it once a file, at namespace scope. Do not edit: generated from dop853_published.txt by
//   /usr/bin/python3 lib/integrators/tables/dop853_refine.py        (python3-mpmath, python3-gmpy2)
//
// E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., sections II.5, II.6.
// The published 30 digits refined by Newton's method on the simplifying assumptions of the construction, which
// have no other solution nearby; largest residual of the numbers below {residual}. They differ from the published
// ones by at most {difference} of the largest in their row.
//
// nullptr stands for an exact zero. Stages count from 0: 0..11 make the step, 12 is the derivative at its end
// (row 12 of a is b), 13..15 serve the dense output. All stages: k_i = f(t + c_i h, x + h sum_j a_ij k_j).
//   dop853_c[i]     nodes
//   dop853_a[i][j]  Runge-Kutta matrix, strictly lower triangular
//   dop853_b[j]     weights of the step: x_new = x + h sum_j b_j k_j, order 8
//   dop853_e5[j]    b_j minus the weights of the embedded method of order 5
//   dop853_e3[j]    b_j minus the weights of the embedded method of order 3
//   dop853_d[k][j]  dense output:  x(t + s h) = x + s (F0 + (1-s) (F1 + s (F2 + (1-s) (F3 + s (F4 + (1-s)
//                   (F5 + s F6)))))),  F0 = x_new - x,  F1 = h k_0 - F0,  F2 = 2 F0 - h (k_0 + k_12),
//                   F_(3+k) = h sum_j d_kj k_j
"""


def written(x):
    """Decimal literal of DIGITS significant digits; shorter where that is exact."""
    return mp.nstr(x, DIGITS, min_fixed=-4, max_fixed=4).removesuffix(".0")


def c_list(entries):
    """The entries separated by commas, one number or one run of nullptr a line."""
    lines = []
    for entry in entries:
        if lines and lines[-1][-1] == entry == "nullptr":
            lines[-1].append(entry)
        else:
            lines.append([entry])
    return "{" + ",\n   ".join(", ".join(line) for line in lines) + "}"


def c_table(text, residual, difference):
    entry = lambda name: f'"{text[name]}"' if name in text else "nullptr"
    out = [HEADER.format(digits=DIGITS, residual=mp.nstr(residual, 2), difference=mp.nstr(difference, 2))]
    declare = lambda name, sizes, value: out.append(f"inline constexpr const char* {name}{sizes} =\n  {value};\n")
    one = lambda name, key, size: declare(name, f"[{size}]", c_list(entry(key.format(j)) for j in range(size)))
    two = lambda name, key, size: declare(name, f"[{size}][{TOTAL}]", "{" + ",\n   ".join(
        c_list(entry(key.format(i, j)) for j in range(TOTAL)) for i in range(size)) + "}")
    one("dop853_c", "c_{}", TOTAL)
    two("dop853_a", "a_{}_{}", TOTAL)
    one("dop853_b", "a_12_{}", STAGES)
    one("dop853_e3", "e3_{}", STAGES + 1)
    one("dop853_e5", "e5_{}", STAGES + 1)
    two("dop853_d", "d_{}_{}", 4)
    return "\n".join(out)


def main():
    published = read_published()
    text = {name: written(x) for name, x in refine(published).items()}
    residual, difference = check(text, published)
    (HERE / "dop853_table.inc").write_text(c_table(text, residual, difference))
    print(f"largest residual {mp.nstr(residual, 3)}, largest change {mp.nstr(difference, 3)}")


if __name__ == "__main__":
    main()
