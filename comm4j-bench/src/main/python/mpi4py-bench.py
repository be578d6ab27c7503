# Copyright the comm4j authors.
# SPDX-License-Identifier: Apache-2.0

"""The operations of "comm4j bench" by mpi4py, with the options of mpi-bench.c and its columns.

The buffers are arrays of float with their counts and types given, which is mpi4py's quickest way. Sums, root 0, out of
place; results are not checked.

    mpirun -n 2 python3 mpi4py-bench.py all_reduce,broadcast -b 8 -e 1M -f 8
"""

import argparse
import array

from mpi4py import MPI

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def size_of(text):
    """Bytes of a size such as 64K."""
    unit = text[-1].upper()
    return int(text[:-1]) * UNITS[unit] if unit in UNITS else int(text)


def call_of(operation, comm, send, recv, count):
    """What is called in a loop: count elements in all, a part of them for each rank."""
    rank, ranks = comm.rank, comm.size
    part = count // ranks
    whole, into = [send, count, MPI.FLOAT], [recv, count, MPI.FLOAT]
    one, part_in = [send, part, MPI.FLOAT], [recv, part, MPI.FLOAT]
    root = rank == 0
    if operation == "latency":
        message, answer = [send, 8, MPI.CHAR], [recv, 8, MPI.CHAR]

        def ping_pong():
            if root:
                comm.Send(message, 1)
                comm.Recv(answer, 1)
            elif rank == 1:
                comm.Recv(answer, 0)
                comm.Send(message, 0)

        return ping_pong
    return {
        "barrier": comm.Barrier,
        "all_reduce": lambda: comm.Allreduce(whole, into, MPI.SUM),
        "reduce": lambda: comm.Reduce(whole, into if root else None, MPI.SUM, 0),
        "broadcast": lambda: comm.Bcast(into, 0),
        "all_gather": lambda: comm.Allgather(one, [recv, part, MPI.FLOAT]),
        "reduce_scatter": lambda: comm.Reduce_scatter_block(whole, part_in, MPI.SUM),
        "alltoall": lambda: comm.Alltoall([send, part, MPI.FLOAT], [recv, part, MPI.FLOAT]),
        "gather": lambda: comm.Gather(one, [recv, part, MPI.FLOAT] if root else None, 0),
        "scatter": lambda: comm.Scatter([send, part, MPI.FLOAT] if root else None, part_in, 0),
        "sendrecv": lambda: comm.Sendrecv(whole, (rank + 1) % ranks, 0, into, (rank - 1) % ranks, 0),
    }[operation]


def seconds_of(comm, call, iterations):
    """Seconds of a block on this rank."""
    comm.Barrier()
    start = MPI.Wtime()
    for _ in range(iterations):
        call()
    return MPI.Wtime() - start


def measure(operation, size, options, comm):
    """Prints a row."""
    elements = max(size // 4, comm.size)
    send = array.array("f", bytes(4 * max(elements, 8)))
    recv = array.array("f", bytes(4 * max(elements, 8)))
    call = call_of(operation, comm, send, recv, elements)
    spent, per_call, chunk = 0.0, 1e9, 2
    while spent < 0.04:
        longest = comm.allreduce(seconds_of(comm, call, chunk), MPI.MAX)
        spent += longest
        per_call = min(per_call, longest / chunk)
        chunk *= 2
    iterations = int(options.block_time / 1e3 / per_call) + 1
    best = min(
        comm.allreduce(seconds_of(comm, call, iterations)) / comm.size / iterations for _ in range(options.blocks)
    )
    if operation == "latency":
        best /= 2
    if comm.rank == 0:
        time, width = best * 1e6, size / best / 1e9
        print(f" {size:12d}  {elements:12d}     float     sum      -1  {time:8.4g}  {width:6.3g}  {width:6.3g}    N/A"
              "       N/A     N/A     N/A    N/A", flush=True)


def main():
    """Measures what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("operations")
    parser.add_argument("-b", type=size_of, default=8)
    parser.add_argument("-e", type=size_of, default=64 << 20)
    parser.add_argument("-f", type=int, default=2)
    parser.add_argument("--block-time", type=float, default=20)
    parser.add_argument("--blocks", type=int, default=1)
    options = parser.parse_args()
    comm = MPI.COMM_WORLD
    for operation in options.operations.split(","):
        if comm.rank == 0:
            print(f"#\n# {operation}")
        size = 8 if operation == "latency" else 0 if operation == "barrier" else options.b
        while size <= options.e:
            measure(operation, size, options, comm)
            if operation in ("latency", "barrier"):
                break
            size *= options.f


main()
