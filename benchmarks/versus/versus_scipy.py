"""The same run as a plain SciPy script: DOP853, NumPy field.
versus_scipy.py START REFERENCE beta t repeats: one line a tolerance, as versus_attndyn prints it."""
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

start = np.loadtxt(sys.argv[1], delimiter=",", ndmin=2)  # n x d
exact = np.loadtxt(sys.argv[2], delimiter=",", ndmin=2)
beta, t_end, repeats = float(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
shape = start.shape


def field(t, flat):
    theta = flat.reshape(shape)
    w = np.exp(beta * (theta @ theta.T - 1))
    a = (w / w.sum(axis=1, keepdims=True)) @ theta
    return (a - (a * theta).sum(axis=1, keepdims=True) * theta).ravel()


for exponent in np.arange(4, 12.5, 0.5):
    tolerance = 10.0**-exponent
    best = np.inf
    for _ in range(repeats):
        begin = time.perf_counter()
        s = solve_ivp(field, (0, t_end), start.ravel(), method="DOP853", rtol=tolerance, atol=tolerance)
        best = min(best, time.perf_counter() - begin)
    error = np.abs(s.y[:, -1].reshape(shape) - exact).max()
    print(f"scipy {tolerance:.2e} {best:.6e} {error:.3e}")
    if error < 1e-9:
        break
