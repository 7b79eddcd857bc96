# The same in mpmath (with gmpy2 where it is there): odefun, its own Taylor series, on g' = 2 w (1-g)(1+(n-1)g).
#   precision_mpmath.py DIGITS EXACT_LOG_GAP
import sys
import time

from mpmath import exp, log, mp, mpf, odefun

digits, exact = int(sys.argv[1]), sys.argv[2]
mp.dps = digits
n, beta = 256, mpf(5)


def field(t, y):
    q = exp(-beta * exp(y))
    return -2 * q / (1 + (n - 1) * q) * (1 + (n - 1) * (1 - exp(y)))


begin = time.perf_counter()
value = odefun(field, 0, mpf(0))(20)
seconds = time.perf_counter() - begin
mp.dps = digits + 20
print("mpmath.odefun", digits, "%.6f" % seconds, "%.2e" % abs(value - mpf(exact)))
