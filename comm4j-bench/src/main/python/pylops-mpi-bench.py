# Copyright the comm4j authors.
# SPDX-License-Identifier: Apache-2.0
"""The cases of org.comm4j.bench.operators.PylopsCases with pylops-mpi: one line of case and microseconds each.

With ENGINE=cupy in the environment each rank has a GPU, and NCCL communicates. With CASE_SECONDS a part of a case that
has taken so long, such as for compiling kernels, ends before its next line.
"""

import os
import sys
import time

import numpy as np
import pylops
import pylops_mpi
from mpi4py import MPI
from pylops_mpi import DistributedArray, Partition
from pylops_mpi.optimization.cls_basic import CGLS

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

if os.environ.get("ENGINE") == "cupy":
    import cupy as xp
    from pylops_mpi.utils._nccl import initialize_nccl_comm

    nccl = {"base_comm_nccl": initialize_nccl_comm(), "engine": "cupy"}
    synchronize = xp.cuda.Device().synchronize
else:
    xp, nccl = np, {}

    def synchronize():
        pass


rng = xp.random.default_rng(rank)
limit = float(os.environ.get("CASE_SECONDS", "inf"))
started = time.perf_counter()


def array(n, partition=Partition.SCATTER, dtype="float64"):
    x = DistributedArray(n, partition=partition, dtype=dtype, **nccl)
    own = rng if partition == Partition.SCATTER else xp.random.default_rng(1)
    x[:] = own.random(x.local_shape, dtype=dtype)
    return x


def zeros(n):
    x = DistributedArray(n, **nccl)
    x[:] = 0
    return x


def timed(call, calls):
    """Seconds of a call on the slowest rank."""
    synchronize()
    comm.Barrier()
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    synchronize()
    return comm.allreduce(time.perf_counter() - begin, op=MPI.MAX) / calls


def measure(name, call, seconds):
    """The fastest of rounds, each as long as the last rank's."""
    call()
    spent = comm.allreduce(time.perf_counter() - started, op=MPI.MAX)
    if spent > limit:
        raise TimeoutError(f"{name}: {spent:.0f} s were spent before it, more than {limit:.0f}")
    calls = max(1, min(1000, int(seconds / timed(call, 1))))
    rounds = [timed(call, calls) for _ in range(5)]
    if rank == 0:
        print(name, f"{min(rounds) * 1e6:.2f}", flush=True)


def both(name, operator, x, y, seconds):
    measure(name + ", forward", lambda: operator.matvec(x), seconds)
    measure(name + ", adjoint", lambda: operator.rmatvec(y), seconds)


def blocks(n):
    """Two blocks whatever the number of ranks."""
    own = [pylops.MatrixMult(xp.random.default_rng(i).random((n, n))) for i in range(rank, 2, size)]
    return pylops_mpi.MPIBlockDiag(ops=own)


def cgls(name, operator, y, seconds):
    solver = CGLS(operator)
    state = [solver.setup(y=y, x0=zeros(operator.shape[1]), niter=10**6, damp=0, tol=0)]

    def step():
        state[0] = solver.step(state[0])

    measure(name, step, seconds)


def two_blocks(n, seconds):
    cgls(f"CGLS step, blocks of {n} x {n}", blocks(n), array(2 * n), seconds)


def numpy_alone(n, seconds):
    """The step of CGLS with two blocks that NumPy itself would take, on one rank."""
    if size != 1:
        raise ValueError(f"NumPy alone is one rank, and not {size}")
    own = [np.random.default_rng(i).random((n, n)) for i in range(2)]
    turned = [block.T for block in own]
    x, s = np.zeros(2 * n), rng.random(2 * n)
    q, r = np.empty(2 * n), np.empty(2 * n)

    def times(blocks, v, out):
        for i, block in enumerate(blocks):
            np.matmul(block, v[i * n : (i + 1) * n], out=out[i * n : (i + 1) * n])

    times(turned, s, r)
    p, state = r.copy(), [r @ r]

    def step():
        times(own, p, q)
        alpha = state[0] / (q @ q)
        x[:] += alpha * p
        s[:] -= alpha * q
        times(turned, s, r)
        square = r @ r
        p[:] *= square / state[0]
        p[:] += r
        state[0] = square

    measure(f"CGLS step, blocks of {n} x {n}", step, seconds)


def block_a_rank(n, seconds):
    operator = pylops_mpi.MPIBlockDiag(ops=[pylops.MatrixMult(rng.random((n, n)))])
    cgls(f"CGLS step, a block of {n} x {n} a rank", operator, array(size * n), seconds)


def derivatives(n, names, seconds):
    shape = (n, n)
    made = {
        "first derivative": lambda: pylops_mpi.MPIFirstDerivative(shape),
        "second derivative": lambda: pylops_mpi.MPISecondDerivative(shape),
        "Laplacian": lambda: pylops_mpi.MPILaplacian(shape, axes=(0, 1)),
    }
    x = array(n * n)
    for name in names:
        both(f"{name}, {n} x {n}", made[name](), x, x, seconds)


def laplacian(dtype, *shape):
    x = array(int(np.prod(shape)), dtype=dtype)
    axes, ones = tuple(range(len(shape))), (1,) * len(shape)
    operator = pylops_mpi.MPILaplacian(shape, axes=axes, weights=ones, sampling=ones, dtype=dtype)
    name = "Laplacian, " + " x ".join(map(str, shape)) + ("" if dtype == "float64" else ", " + dtype)
    both(name, operator, x, x, 0.1 if xp is not np else 0.3)


def stack(name, own, rows, columns, seconds):
    operator = pylops_mpi.MPIVStack(ops=own)
    both(name, operator, array(columns, Partition.BROADCAST), array(rows), seconds)


def vectors(n, seconds):
    x, y = array(n), array(n)
    measure(f"dot, {n}", lambda: x.dot(y), seconds)
    measure(f"2-norm, {n}", lambda: x.norm(2), seconds)
    measure(f"x + y, {n}", lambda: x + y, seconds)


def poststack(ny, nx, nt, regularised, iterations):
    """CGLS of a volume whose first axis is divided."""
    from pylops.avo.poststack import PoststackLinearModelling
    from pylops.utils.wavelets import ricker

    wavelet = xp.asarray(ricker(np.arange(41) * 0.004, 15)[0])
    mine = DistributedArray((ny, nx, nt), **nccl).local_shape[0]
    operator = pylops_mpi.MPIBlockDiag(ops=[PoststackLinearModelling(wavelet, nt0=nt, spatdims=(mine, nx))])
    # PyLops takes time as the first axis: the order of elements is another one, the work the same.
    d = array(ny * nx * nt)
    x = zeros(ny * nx * nt)
    if regularised:
        laplacian = pylops_mpi.MPILaplacian((ny, nx, nt), axes=(0, 1, 2), weights=(1, 1, 1), sampling=(1, 1, 1))
        operator = pylops_mpi.MPIStackedVStack([operator, 0.1 * laplacian])
        d = pylops_mpi.StackedDistributedArray([d, zeros(ny * nx * nt)])
    name = f"post-stack CGLS({iterations}), {ny} x {nx} x {nt}" + (" with Laplacian" if regularised else "")
    pylops_mpi.cgls(operator, d, x, niter=2, damp=0, tol=0)
    seconds = timed(lambda: pylops_mpi.cgls(operator, d, x, niter=iterations, damp=0, tol=0), 1)
    if rank == 0:
        print(name, f"{seconds * 1e6:.2f}", flush=True)


def sparse(traces, samples):
    """Steps of sparse deconvolution; the traces are divided."""
    from pylops.utils.wavelets import ricker
    from pylops_mpi.optimization.cls_sparsity import FISTA, ISTA

    wavelet = xp.asarray(ricker(np.arange(21) * 0.004, 15)[0])
    mine = DistributedArray((traces, samples), **nccl).local_shape[0]
    own = pylops.signalprocessing.Convolve1D((mine, samples), wavelet, offset=20, axis=1)
    operator = pylops_mpi.MPIBlockDiag(ops=[own])
    n = traces * samples
    for name, make in (("ISTA", ISTA), ("FISTA", FISTA)):
        solver = make(operator)
        start = solver.setup(y=array(n), x0=zeros(n), niter=10**6, eps=0.05, alpha=0.02, tol=0)
        state = [start, start.copy()][: 1 if make is ISTA else 2]

        def step(solver=solver, state=state):
            state[:] = solver.step(*state)[: len(state)]

        measure(f"{name} step, {traces} x {samples}", step, 0.2)


def variation(ny, nx, nt):
    """Steps of post-stack inversions with total variation, each with eight inner ones."""
    from pylops.avo.poststack import PoststackLinearModelling
    from pylops.utils.wavelets import ricker
    from pylops_mpi.proximal import MPIL2, MPIL21, ADMML2, PrimalDual

    wavelet = xp.asarray(ricker(np.arange(41) * 0.004, 15)[0])
    mine = DistributedArray((ny, nx, nt), **nccl).local_shape[0]
    operator = pylops_mpi.MPIBlockDiag(ops=[PoststackLinearModelling(wavelet, nt0=nt, spatdims=(mine, nx))])
    gradient = pylops_mpi.MPIGradient((ny, nx, nt), kind="forward")
    n = ny * nx * nt
    d, inner = array(n), 8

    def admm(steps):
        ADMML2(MPIL21(3, 0.1), operator, d, gradient, zeros(n), tau=1, niter=steps, kwargs_solver={"niter": inner})

    def primal_dual(steps):
        x = zeros(n)
        f = MPIL2(Op=operator, b=d, x0=x, niter=inner, warm=True, kwargs_solver={"tol": 0})
        PrimalDual(f, MPIL21(3, 0.1), gradient, x, gradient @ x, tau=1, mu=1 / 12, niter=steps)

    for name, solve in (("ADMM", admm), ("primal-dual", primal_dual)):
        solve(1)
        least = [min(timed(lambda: solve(steps), 1) for _ in range(2)) for steps in (2, 4)]
        if rank == 0:
            print(f"post-stack TV, {name} step, {ny} x {nx} x {nt}", f"{(least[1] - least[0]) / 2 * 1e6:.2f}", flush=True)


def random(shape, dtype):
    real = rng.standard_normal(shape)
    return (real + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else real).astype(dtype)


def replicated(n, dtype):
    x = DistributedArray(n, partition=Partition.BROADCAST, dtype=dtype, **nccl)
    x[:] = xp.random.default_rng(1).random(n).astype(dtype)
    return x


def fredholm(nz):
    from pylops_mpi.signalprocessing.Fredholm1 import MPIFredholm1

    slices = len(np.array_split(np.arange(64), size)[rank])
    operator = MPIFredholm1(random((slices, 512, 512), "float64"), nz=nz, dtype="float64")
    x, y = replicated(operator.shape[1], "float64"), replicated(operator.shape[0], "float64")
    both(f"Fredholm1 64 x 512 x 512, float64, nz {nz}", operator, x, y, 0.2)


def deconvolution():
    """MDC as in the tutorial, and steps of CGLS."""
    from pylops_mpi.waveeqprocessing.MDC import MPIMDC

    slices = len(np.array_split(np.arange(400), size)[rank])
    operator = MPIMDC(
        random((slices, 201, 121), "complex64"), nt=1599, nv=1, nfreq=400, dt=0.004, dr=3, twosided=True
    )
    x, y = replicated(operator.shape[1], "float32"), replicated(operator.shape[0], "float32")
    both("MDC 400 x 201 x 121, nt 1599", operator, x, y, 0.2)
    solver = CGLS(operator)
    state = [solver.setup(y=y, x0=replicated(operator.shape[1], "float32"), niter=10**6, damp=0, tol=0)]

    def step():
        state[0] = solver.step(state[0])

    measure("CGLS step, MDC", step, 0.2)


def transform(dtype, n):
    from pylops_mpi.signalprocessing import MPIFFTND

    operator = MPIFFTND((n, n, n), axes=(0, 1, 2), dtype=dtype)
    x, y = (DistributedArray(count, dtype=dtype, **nccl) for count in operator.shape[::-1])
    for vector in (x, y):
        vector[:] = xp.asarray(random(vector.local_shape, dtype))
    both(f"FFTND {n} x {n} x {n}, {dtype}", operator, x, y, 0.2)


def product(dtype, n):
    """Matrices in blocks of a square grid."""
    side = int(size**0.5)
    tile = n // side
    own, more = random((tile, tile), dtype), {k: v for k, v in nccl.items() if k == "base_comm_nccl"}
    operator = pylops_mpi.MPIMatrixMult(own, n, kind="summa", dtype=dtype, **more)
    shapes = [tile * tile] * size
    x = DistributedArray(operator.shape[1], local_shapes=shapes, dtype=dtype, **nccl)
    y = DistributedArray(operator.shape[0], local_shapes=shapes, dtype=dtype, **nccl)
    x[:] = random(tile * tile, dtype)
    y[:] = random(tile * tile, dtype)
    both(f"SUMMA {n}, {dtype}", operator, x, y, 0.2)


def migration():
    """CGLS(100) of the size of the tutorial of least-squares migration, with ten sources a rank."""
    from pylops.utils.wavelets import ricker
    from pylops.waveeqprocessing.lsm import LSM

    x, z, t = np.arange(81) * 4.0, np.arange(60) * 4.0, np.arange(651) * 0.004
    receivers = np.vstack((np.linspace(40, 284, 11), np.full(11, 20.0)))
    places = np.linspace(40, 284, 10 * size)[10 * rank : 10 * rank + 10]
    wavelet, _, centre = ricker(t[:41], f0=20)
    if xp is np:
        try:
            import numba  # noqa: F401

            engine = "numba"
        except ImportError:
            engine = "numpy"
    else:
        engine = "cuda"
        # A name that NumPy 2.4 no longer has, used by libraries of this engine.
        np.row_stack = np.vstack
    sources = np.vstack((places, np.full(10, 10.0)))
    mine = LSM(z, x, t, sources, receivers, 1000, xp.asarray(wavelet), centre, mode="analytic", engine=engine)
    operator = pylops_mpi.MPIVStack(ops=[mine.Demop])
    image = np.zeros((81, 60))
    image[:, 30], image[:, 50] = -1, 0.5
    model, start = replicated(81 * 60, "float64"), replicated(81 * 60, "float64")
    model[:], start[:] = xp.asarray(image.ravel()), 0
    d = operator @ model
    pylops_mpi.cgls(operator, d, start, niter=2, damp=0, tol=0)
    start[:] = 0
    seconds = timed(lambda: pylops_mpi.cgls(operator, d, start, niter=100, damp=0, tol=0), 1)
    if rank == 0:
        print("LSM CGLS(100), 81 x 60, 10 sources a rank", f"{seconds * 1e6:.2f}", flush=True)


def own(n, make):
    """The operators of this rank, of two in all."""
    return [make(xp.random.default_rng(i).random(n)) for i in range(rank, 2, size)]


DERIVATIVES = ("first derivative", "second derivative", "Laplacian")
CASES = {
    "small": [
        lambda: two_blocks(64, 0.2),
        lambda: two_blocks(512, 0.2),
        lambda: derivatives(64, DERIVATIVES, 0.1),
        lambda: vectors(1000, 0.1),
    ],
    "matrices": [
        lambda: two_blocks(5592, 0.3),
        lambda: stack("stack of matrices, 4096 x 4096", own((4096, 4096), pylops.MatrixMult), 8192, 4096, 0.2),
    ],
    "stencils": [lambda: derivatives(4096, DERIVATIVES, 0.3), lambda: laplacian("float64", 256, 256, 256)],
    "vectors": [
        lambda: vectors(1 << 24, 0.2),
        lambda: stack(f"stack of diagonals, {8 << 20}", own(8 << 20, pylops.Diagonal), 16 << 20, 8 << 20, 0.2),
    ],
    "poststack": [lambda: poststack(64, 64, 301, False, 50), lambda: poststack(64, 64, 301, True, 50)],
    "whole-poststack": [lambda: poststack(98 * size, 98, 301, False, 100)],
    "whole-laplacian": [lambda: poststack(98 * size, 98, 301, True, 100)],
    "numpy": [
        lambda: numpy_alone(64, 0.2),
        lambda: numpy_alone(512, 0.2),
        lambda: numpy_alone(5592, 0.3),
    ],
    "lsm": [migration],
    "sparse": [lambda: sparse(2, 500), lambda: sparse(128, 512)],
    "variation": [lambda: variation(64, 64, 301)],
    "transforms": [lambda: fredholm(1), lambda: fredholm(64), deconvolution, lambda: transform("complex128", 256)],
    "products": [
        lambda: product("float64", 2048),
        lambda: product("complex64", 2048),
        lambda: product("complex128", 512),
    ],
    "gpu-products": [lambda: product("float64", 8192), lambda: product("complex64", 8192)],
    "gpu-blocks": [
        lambda: block_a_rank(64, 0.1),
        lambda: block_a_rank(512, 0.1),
        lambda: block_a_rank(5592, 0.1),
    ],
    "gpu-vectors": [lambda: vectors(1 << 28, 0.1)],
    "gpu-derivatives": [lambda: derivatives(4096, DERIVATIVES, 0.1)],
    "gpu-stencils": [
        lambda: laplacian("float32", 16384, 16384),
        lambda: laplacian("float32", 768, 768, 768),
    ],
    "gpu-tv": [lambda: variation(256, 256, 512)],
    "gpu-fft3": [lambda: transform("complex64", 512), lambda: transform("complex128", 512)],
    "gpu-poststack": [lambda: poststack(256, 256, 512, False, 50), lambda: poststack(256, 256, 512, True, 50)],
}
unknown = [case for case in sys.argv[1:] if case not in CASES]
if unknown:
    raise SystemExit("no case " + ", ".join(unknown))

failed = False
for case in sys.argv[1:]:
    for number, part in enumerate(CASES[case], 1):
        started = time.perf_counter()
        try:
            part()
        except Exception as e:
            print(f"{case}, part {number}: {type(e).__name__}: {e}", file=sys.stderr, flush=True)
            failed = True
sys.exit(failed)
