# The first eight numbers of seed 1, unit 2, purpose tokens (1), as frozen in tests/lib/random_test.cpp: Philox4x64-10
# from its definition in Python integers, checked against NumPy's; normals by mpmath's erfinv at 40 digits.
# usage: /usr/bin/python3 -B tests/reference/random_numbers.py    (needs python3-mpmath and python3-numpy)
import numpy
from mpmath import erfinv, mp, mpf, nstr, sqrt

mp.dps = 40
WORD = (1 << 64) - 1


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p, q = 0xD2E7470EE14C6C93 * c[0], 0xCA5A826395121157 * c[2]
        c = [(q >> 64) ^ c[1] ^ k[0], q & WORD, (p >> 64) ^ c[3] ^ k[1], p & WORD]
        k = [(k[0] + 0x9E3779B97F4A7C15) & WORD, (k[1] + 0xBB67AE8584CAA73B) & WORD]
    return c


seed, unit, purpose = 1, 2, 1
bits = [b for block in range(2) for b in philox([block, 0, 0, purpose], [seed, unit])]
# NumPy counts up before it draws.
peer = numpy.random.Philox(counter=(purpose << 192) - 1, key=seed | unit << 64).random_raw(8)
assert bits == [int(b) for b in peer]
for b in bits:
    u = (mpf(b >> 12) + mpf(1) / 2) / 2**52
    print(float(u).hex(), nstr(sqrt(2) * erfinv(2 * u - 1), 20))
