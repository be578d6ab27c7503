# Copyright the comm4j authors.
# SPDX-License-Identifier: Apache-2.0
"""The cases of org.comm4j.bench.operators.PylopsCases with pylops-mpi: one line of case and microseconds each."""

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
rng = np.random.default_rng(rank)


def array(n, partition=Partition.SCATTER, shape=None):
    x = DistributedArray(shape or n, partition=partition)
    own = rng if partition == Partition.SCATTER else np.random.default_rng(1)
    x[:] = own.random(x.local_shape)
    return x


def measure(name, call, seconds):
    """The fastest of rounds, each as long as the last rank's."""
    call()
    comm.Barrier()
    begin = time.perf_counter()
    call()
    once = comm.allreduce(time.perf_counter() - begin, op=MPI.MAX)
    calls = max(1, min(1000, int(seconds / once)))
    rounds = []
    for _ in range(5):
        comm.Barrier()
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        rounds.append(comm.allreduce(time.perf_counter() - begin, op=MPI.MAX) / calls)
    if rank == 0:
        print(name, f"{min(rounds) * 1e6:.2f}", flush=True)


def both(name, operator, x, y, seconds):
    measure(name + ", forward", lambda: operator.matvec(x), seconds)
    measure(name + ", adjoint", lambda: operator.rmatvec(y), seconds)


def blocks(n):
    """Two blocks whatever the number of ranks."""
    own = [pylops.MatrixMult(np.random.default_rng(i).random((n, n))) for i in range(rank, 2, size)]
    return pylops_mpi.MPIBlockDiag(ops=own)


def cgls(n, seconds):
    operator = blocks(n)
    y = array(2 * n)
    solver = CGLS(operator)
    x = DistributedArray(2 * n)
    x[:] = 0
    x = solver.setup(y=y, x0=x, niter=10**6, damp=0, tol=0)
    state = [x]

    def step():
        state[0] = solver.step(state[0])

    measure(f"CGLS step, blocks of {n} x {n}", step, seconds)


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


def cube(n, seconds):
    x = array(n**3)
    operator = pylops_mpi.MPILaplacian((n, n, n), axes=(0, 1, 2), weights=(1, 1, 1), sampling=(1, 1, 1))
    both(f"Laplacian, {n} x {n} x {n}", operator, x, x, seconds)


def stack(name, own, rows, columns, seconds):
    operator = pylops_mpi.MPIVStack(ops=own)
    both(name, operator, array(columns, Partition.BROADCAST), array(rows), seconds)


def vectors(n, seconds):
    x, y = array(n), array(n)
    measure(f"dot, {n}", lambda: x.dot(y), seconds)
    measure(f"2-norm, {n}", lambda: x.norm(2), seconds)
    measure(f"x + y, {n}", lambda: x + y, seconds)


def poststack(ny, nx, nt, regularised):
    """CGLS(50) of a volume whose first axis is divided."""
    from pylops.avo.poststack import PoststackLinearModelling
    from pylops.utils.wavelets import ricker

    wavelet = ricker(np.arange(41) * 0.004, 15)[0]
    mine = DistributedArray((ny, nx, nt)).local_shape[0]
    operator = pylops_mpi.MPIBlockDiag(ops=[PoststackLinearModelling(wavelet, nt0=nt, spatdims=(mine, nx))])
    # PyLops takes time as the first axis: the order of elements is another one, the work the same.
    d = array(ny * nx * nt)
    x = DistributedArray(ny * nx * nt)
    x[:] = 0
    if regularised:
        laplacian = pylops_mpi.MPILaplacian((ny, nx, nt), axes=(0, 1, 2), weights=(1, 1, 1), sampling=(1, 1, 1))
        operator = pylops_mpi.MPIStackedVStack([operator, 0.1 * laplacian])
        zero = DistributedArray(ny * nx * nt)
        zero[:] = 0
        d = pylops_mpi.StackedDistributedArray([d, zero])
    name = f"post-stack CGLS(50), {ny} x {nx} x {nt}" + (" with Laplacian" if regularised else "")
    comm.Barrier()
    begin = time.perf_counter()
    pylops_mpi.cgls(operator, d, x, niter=50, damp=0, tol=0)
    seconds = comm.allreduce(time.perf_counter() - begin, op=MPI.MAX)
    if rank == 0:
        print(name, f"{seconds * 1e6:.2f}", flush=True)


def run(case):
    if case == "small":
        cgls(64, 0.2)
        cgls(512, 0.2)
        derivatives(64, ("first derivative", "second derivative", "Laplacian"), 0.1)
        vectors(1000, 0.1)
    elif case == "matrices":
        cgls(5592, 0.3)
        n = 4096
        own = [pylops.MatrixMult(np.random.default_rng(i).random((n, n))) for i in range(rank, 2, size)]
        stack(f"stack of matrices, {n} x {n}", own, 2 * n, n, 0.2)
    elif case == "stencils":
        derivatives(4096, ("first derivative", "second derivative", "Laplacian"), 0.3)
        cube(256, 0.3)
    elif case == "vectors":
        vectors(1 << 24, 0.2)
        n = 8 << 20
        own = [pylops.Diagonal(np.random.default_rng(i).random(n)) for i in range(rank, 2, size)]
        stack(f"stack of diagonals, {n}", own, 2 * n, n, 0.2)
    elif case == "poststack":
        poststack(64, 64, 301, False)
        poststack(64, 64, 301, True)
    else:
        raise SystemExit("no case " + case)


for argument in sys.argv[1:]:
    run(argument)
