# Copyright the comm4j authors.
# SPDX-License-Identifier: Apache-2.0
"""The cases of org.comm4j.bench.operators.PylopsCases with PyLops on CuPy: one line of case and microseconds each."""

import sys
import time
import warnings

warnings.filterwarnings("ignore")

import cupy as cp
import numpy as np
import pylops
from pylops.optimization.cls_basic import CGLS
from pylops.optimization.cls_sparsity import FISTA
from pylops.utils.wavelets import ricker

rng = cp.random.default_rng(1)
synchronize = cp.cuda.Device().synchronize


def seconds_of(call, calls):
    synchronize()
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    synchronize()
    return (time.perf_counter() - begin) / calls


def measure(name, call, seconds):
    """The fastest of rounds."""
    for _ in range(3):
        call()
    calls = max(1, min(1000, int(seconds / seconds_of(call, 1))))
    print(name, f"{min(seconds_of(call, calls) for _ in range(5)) * 1e6:.2f}", flush=True)


def both(name, operator, x, y, seconds):
    measure(name + ", forward", lambda: operator.matvec(x), seconds)
    measure(name + ", adjoint", lambda: operator.rmatvec(y), seconds)


def random(n, dtype="float64"):
    kind = np.dtype(dtype)
    if kind.kind == "c":
        real = kind.char.lower()
        return (rng.random(n, dtype=real) + 1j * rng.random(n, dtype=real)).astype(kind)
    return rng.random(n, dtype=dtype)


def cgls_step(name, operator, y, steps):
    solver = CGLS(operator)
    state = [solver.setup(y=y, x0=cp.zeros(operator.shape[1], dtype=y.dtype), niter=10**6, damp=0, tol=0)]

    def step():
        state[0] = solver.step(state[0])

    seconds_of(step, 3)
    print(name, f"{min(seconds_of(step, steps) for _ in range(5)) * 1e6:.2f}", flush=True)


def cgls(n, steps):
    operator = pylops.BlockDiag([pylops.MatrixMult(random((n, n))) for _ in range(2)])
    cgls_step(f"CGLS step, blocks of {n} x {n}", operator, random(2 * n), steps)


def vectors(n, seconds):
    x, y = random(n), random(n)
    measure(f"dot, {n}", lambda: float(cp.dot(x, y)), seconds)
    measure(f"2-norm, {n}", lambda: float(cp.linalg.norm(x)), seconds)
    measure(f"x + y, {n}", lambda: cp.add(x, 1.0 * y, out=x), seconds)


def derivatives(n, seconds):
    shape = (n, n)
    x = random(n * n)
    both(f"first derivative, {n} x {n}", pylops.FirstDerivative(shape, axis=0), x, x, seconds)
    both(f"second derivative, {n} x {n}", pylops.SecondDerivative(shape, axis=0), x, x, seconds)
    both(f"Laplacian, {n} x {n}", pylops.Laplacian(shape, axes=(0, 1)), x, x, seconds)


def laplacian(dtype, *shape):
    axes = tuple(range(len(shape)))
    ones = (1,) * len(shape)
    operator = pylops.Laplacian(shape, axes=axes, weights=ones, sampling=ones, dtype=dtype)
    x = random(int(np.prod(shape)), dtype)
    name = "Laplacian, " + " x ".join(map(str, shape)) + ("" if dtype == "float64" else ", " + dtype)
    both(name, operator, x, x, 0.3)


def gradient(n):
    operator = pylops.Gradient((n, n))
    both(f"gradient, {n} x {n}", operator, random(n * n), random(2 * n * n), 0.3)


def stack(name, operators):
    operator = pylops.VStack(operators)
    both(name, operator, random(operator.shape[1]), random(operator.shape[0]), 0.2)


def poststack(ny, nx, nt, regularised):
    from pylops.avo.poststack import PoststackLinearModelling

    wavelet = cp.asarray(ricker(np.arange(41) * 0.004, 15)[0])
    operator = PoststackLinearModelling(wavelet, nt0=nt, spatdims=(ny, nx))
    d = random(ny * nx * nt)
    if regularised:
        laplacian = pylops.Laplacian((ny, nx, nt), axes=(0, 1, 2), weights=(1, 1, 1), sampling=(1, 1, 1))
        operator = pylops.VStack([operator, 0.1 * laplacian])
        d = cp.concatenate([d, cp.zeros_like(d)])
    x = cp.zeros(ny * nx * nt)
    name = f"post-stack CGLS(50), {ny} x {nx} x {nt}" + (" with Laplacian" if regularised else "")
    pylops.cgls(operator, d, x, niter=2, damp=0, tol=0)
    seconds = seconds_of(lambda: pylops.cgls(operator, d, x, niter=50, damp=0, tol=0), 1)
    print(name, f"{seconds * 1e6:.2f}", flush=True)


def fista(traces, samples):
    wavelet = cp.asarray(ricker(np.arange(21) * 0.004, 15)[0])
    operator = pylops.signalprocessing.Convolve1D((traces, samples), wavelet, offset=20, axis=-1)
    y = random(traces * samples)
    solver = FISTA(operator)
    x = solver.setup(y=y, x0=cp.zeros_like(y), niter=10**6, eps=0.05, alpha=0.02, tol=0.0)
    state = [x, x.copy()]

    def step():
        state[0], state[1], _ = solver.step(*state)

    seconds_of(step, 3)
    name = f"FISTA step, {traces} x {samples}"
    print(name, f"{min(seconds_of(step, 30) for _ in range(5)) * 1e6:.2f}", flush=True)


def fredholm(dtype, columns):
    operator = pylops.signalprocessing.Fredholm1(random((64, 512, 512), dtype), nz=columns, dtype=dtype)
    x = random(64 * 512 * columns, dtype)
    both(f"Fredholm1 64 x 512 x 512, {dtype}, nz {columns}", operator, x, x, 0.2)


def deconvolution():
    kernel = random((400, 201, 121), "complex64")
    operator = pylops.waveeqprocessing.MDC(kernel, nt=1599, nv=1, dt=0.004, dr=3.0, twosided=True)
    x, y = random(operator.shape[1], "float32"), random(operator.shape[0], "float32")
    both("MDC 400 x 201 x 121, nt 1599", operator, x, y, 0.2)
    cgls_step("CGLS step, MDC", operator, y, 10)


def fft(dtype):
    operator = pylops.signalprocessing.FFT2D((4096, 4096), dtype=dtype)
    x = random(4096 * 4096, dtype)
    measure(f"FFT2D 4096 x 4096, {dtype}", lambda: operator.matvec(x), 0.2)
    plane = x.reshape(4096, 4096)
    measure(f"cuFFT by CuPy 4096 x 4096, {dtype}", lambda: cp.fft.fft2(plane), 0.2)


def product(dtype):
    a, x = random((8192, 8192), dtype), random((8192, 8192), dtype)
    measure(f"matrix product 8192, {dtype}", lambda: a @ x, 0.2)


def run(case):
    if case == "small":
        cgls(64, 200)
        cgls(512, 100)
        derivatives(64, 0.1)
        vectors(1000, 0.1)
    elif case == "matrices":
        cgls(5592, 8)
        stack("stack of matrices, 4096 x 4096", [pylops.MatrixMult(random((4096, 4096))) for _ in range(2)])
    elif case == "stencils":
        derivatives(4096, 0.3)
        laplacian("float64", 256, 256, 256)
    elif case == "vectors":
        vectors(1 << 24, 0.2)
        n = 8 << 20
        stack(f"stack of diagonals, {n}", [pylops.Diagonal(random(n)) for _ in range(2)])
    elif case == "poststack":
        poststack(64, 64, 301, False)
        poststack(64, 64, 301, True)
    elif case == "gpu-vectors":
        vectors(1 << 28, 0.2)
    elif case == "gpu-stencils":
        gradient(4096)
        laplacian("float32", 16384, 16384)
        laplacian("float32", 768, 768, 768)
    elif case == "gpu-poststack":
        poststack(256, 256, 512, False)
        poststack(256, 256, 512, True)
    elif case == "gpu-transforms":
        for shape in ((2, 500), (128, 512), (4096, 2048)):
            fista(*shape)
        for dtype in ("float64", "complex64"):
            fredholm(dtype, 1)
            fredholm(dtype, 64)
        deconvolution()
        for dtype in ("complex64", "complex128"):
            fft(dtype)
        for dtype in ("float64", "complex64"):
            product(dtype)
    else:
        raise SystemExit("no case " + case)


failed = False
for argument in sys.argv[1:]:
    try:
        run(argument)
    except Exception as e:
        print(f"{argument}: {type(e).__name__}: {e}", file=sys.stderr, flush=True)
        failed = True
sys.exit(failed)
