# Copyright the comm4j authors.
# SPDX-License-Identifier: Apache-2.0
"""The cases of "comm4j bench fft" with NumPy: one line of case and microseconds each.

Arguments: a type, and shapes as the command takes them.
"""

import sys
import time

import numpy as np

ROUNDS, SECONDS = 5, 0.05


def fastest(call):
    call()
    begin = time.perf_counter()
    call()
    calls = max(1, int(SECONDS / (time.perf_counter() - begin)))
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        times.append((time.perf_counter() - begin) / calls)
    return min(times)


name = sys.argv[1]
dtype = np.dtype(name.lower())
rng = np.random.default_rng(1)
for text in sys.argv[2:]:
    batch, _, axes = text.rpartition("*")
    lengths = [int(n) for n in axes.split("x")]
    shape = ([int(batch)] if batch and int(batch) > 1 else []) + lengths
    axes = tuple(range(len(shape) - len(lengths), len(shape)))
    x = rng.standard_normal(shape)
    if dtype.kind == "c":
        x = x + 1j * rng.standard_normal(shape)
        forward, inverse = np.fft.fftn, np.fft.ifftn
    else:
        forward, inverse = np.fft.rfftn, np.fft.irfftn
    x = x.astype(dtype)
    y = forward(x, axes=axes)
    print(text, name, "forward", f"{1e6 * fastest(lambda: forward(x, axes=axes)):.2f}")
    print(text, name, "adjoint", f"{1e6 * fastest(lambda: inverse(y, s=lengths, axes=axes)):.2f}")
