// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// The operations of "comm4j bench" with MPI: the same sizes, the same way of timing, the same columns, for laying both side
// by side. Float sums, root 0; results are not checked. With "--poll 1" they are the non-blocking functions and MPI_Test,
// with "--meet 1" the blocking ones after a barrier that is polled; with "--threads 1" MPI bears several threads.
//
//     mpicc -O3 -o mpi-bench mpi-bench.c && mpirun -np 2 ./mpi-bench all_reduce,broadcast -b 8 -e 64M -f 2

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LATENCY, BARRIER, ALL_REDUCE, REDUCE, BROADCAST, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER, SEND_RECV, OPERATIONS };

static const char *const NAMES[OPERATIONS] = {
    "latency", "barrier", "all_reduce", "reduce", "broadcast", "all_gather", "reduce_scatter", "alltoall", "gather", "scatter", "sendrecv"};

static int rank, ranks;
static float *sends, *recvs;
static double block_seconds = 0.020;
static int blocks = 1;
static long wanted_iterations;
static int polls, meets;

static void fail(const char *message, const char *what) {
    if (rank == 0) {
        fprintf(stderr, "mpi-bench: %s%s\n", message, what);
    }
    MPI_Finalize();
    exit(2);
}

static void poll_for(MPI_Request request) {
    for (int done = 0; !done;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

static void poll_both(MPI_Request *requests) {
    poll_for(requests[0]);
    poll_for(requests[1]);
}

// The same as run, by non-blocking functions.
static void run_polling(int operation, int in_place, long iterations, int count, int part) {
    const void *whole = in_place ? MPI_IN_PLACE : sends;
    const void *root_whole = in_place && rank == 0 ? MPI_IN_PLACE : sends;
    int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
    MPI_Comm comm = MPI_COMM_WORLD;
    for (long i = 0; i < iterations; i++) {
        MPI_Request request[2];
        switch (operation) {
        case LATENCY:
            if (rank < 2 && i % 2 == 0) {
                for (int turn = 0; turn < 2; turn++) {
                    if (turn == rank) {
                        MPI_Isend(sends, 8, MPI_CHAR, 1 - rank, 0, comm, request);
                    } else {
                        MPI_Irecv(recvs, 8, MPI_CHAR, 1 - rank, 0, comm, request);
                    }
                    poll_for(request[0]);
                }
            }
            continue;
        case BARRIER:
            MPI_Ibarrier(comm, request);
            break;
        case ALL_REDUCE:
            MPI_Iallreduce(whole, recvs, count, MPI_FLOAT, MPI_SUM, comm, request);
            break;
        case REDUCE:
            MPI_Ireduce(root_whole, recvs, count, MPI_FLOAT, MPI_SUM, 0, comm, request);
            break;
        case BROADCAST:
            MPI_Ibcast(recvs, count, MPI_FLOAT, 0, comm, request);
            break;
        case ALL_GATHER:
            MPI_Iallgather(whole, part, MPI_FLOAT, recvs, part, MPI_FLOAT, comm, request);
            break;
        case REDUCE_SCATTER:
            MPI_Ireduce_scatter_block(whole, recvs, part, MPI_FLOAT, MPI_SUM, comm, request);
            break;
        case ALL_TO_ALL:
            MPI_Ialltoall(sends, part, MPI_FLOAT, recvs, part, MPI_FLOAT, comm, request);
            break;
        case GATHER:
            MPI_Igather(root_whole, part, MPI_FLOAT, recvs, part, MPI_FLOAT, 0, comm, request);
            break;
        case SCATTER:
            MPI_Iscatter(sends, part, MPI_FLOAT, in_place && rank == 0 ? MPI_IN_PLACE : recvs, part, MPI_FLOAT, 0, comm, request);
            break;
        case SEND_RECV:
            MPI_Irecv(recvs, count, MPI_FLOAT, previous, 0, comm, request);
            MPI_Isend(sends, count, MPI_FLOAT, next, 0, comm, request + 1);
            poll_both(request);
            continue;
        }
        poll_for(request[0]);
    }
}

// Calls so many times, with buffers of count elements, or part elements for each rank.
static void run(int operation, int in_place, long iterations, int count, int part) {
    const void *whole = in_place ? MPI_IN_PLACE : sends;
    int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
    if (polls) {
        run_polling(operation, in_place, iterations, count, part);
        return;
    }
    for (long i = 0; i < iterations; i++) {
        if (meets && operation != LATENCY && operation != BARRIER && operation != SEND_RECV) {
            MPI_Request request;
            MPI_Ibarrier(MPI_COMM_WORLD, &request);
            poll_for(request);
        }
        switch (operation) {
        case LATENCY:
            // An iteration is half of a round trip.
            if (rank < 2 && i % 2 == 0) {
                if (rank == 0) {
                    MPI_Send(sends, 8, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
                    MPI_Recv(recvs, 8, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                } else {
                    MPI_Recv(recvs, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                    MPI_Send(sends, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
                }
            }
            break;
        case BARRIER:
            MPI_Barrier(MPI_COMM_WORLD);
            break;
        case ALL_REDUCE:
            MPI_Allreduce(whole, recvs, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
            break;
        case REDUCE:
            MPI_Reduce(in_place && rank == 0 ? MPI_IN_PLACE : sends, recvs, count, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
            break;
        case BROADCAST:
            // MPI has the in-place form only.
            MPI_Bcast(recvs, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
            break;
        case ALL_GATHER:
            MPI_Allgather(whole, part, MPI_FLOAT, recvs, part, MPI_FLOAT, MPI_COMM_WORLD);
            break;
        case REDUCE_SCATTER:
            MPI_Reduce_scatter_block(whole, recvs, part, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
            break;
        case ALL_TO_ALL:
            MPI_Alltoall(sends, part, MPI_FLOAT, recvs, part, MPI_FLOAT, MPI_COMM_WORLD);
            break;
        case GATHER:
            MPI_Gather(in_place && rank == 0 ? MPI_IN_PLACE : sends, part, MPI_FLOAT, recvs, part, MPI_FLOAT, 0, MPI_COMM_WORLD);
            break;
        case SCATTER:
            MPI_Scatter(sends, part, MPI_FLOAT, in_place && rank == 0 ? MPI_IN_PLACE : recvs, part, MPI_FLOAT, 0, MPI_COMM_WORLD);
            break;
        case SEND_RECV:
            MPI_Sendrecv(sends, count, MPI_FLOAT, next, 0, recvs, count, MPI_FLOAT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            break;
        }
    }
}

// Seconds of a block on this rank.
static double timed(int operation, int in_place, long iterations, int count, int part) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    run(operation, in_place, iterations, count, part);
    return MPI_Wtime() - start;
}

// Seconds of one call: the mean of all ranks in the fastest block.
static double seconds(int operation, int in_place, int count, int part) {
    double spent = 0, per_call = 1e9;
    for (long chunk = 2; spent < 0.040; chunk *= 2) {
        double mine = timed(operation, in_place, chunk, count, part), longest;
        MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        spent += longest;
        per_call = longest / chunk < per_call ? longest / chunk : per_call;
    }
    long iterations = wanted_iterations > 0 ? wanted_iterations : (long) (block_seconds / per_call) + 1;
    iterations += operation == LATENCY && iterations % 2;
    double best = 1e9;
    for (int block = 0; block < blocks; block++) {
        double mine = timed(operation, in_place, iterations, count, part), mean;
        MPI_Allreduce(&mine, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        mean /= operation == LATENCY && ranks > 2 ? 2 : ranks;
        best = mean / iterations < best ? mean / iterations : best;
    }
    return best;
}

static void print_timing(double time, long bytes, double factor) {
    double bandwidth = bytes / time / 1e9;
    printf("  %8.*f  %6.2f  %6.2f %6s", time < 1e-5 ? 3 : time < 1e-4 ? 2 : time < 1e-2 ? 1 : 0, time * 1e6, bandwidth, bandwidth * factor, "N/A");
}

static void measure(int operation, long bytes) {
    int sized = operation != LATENCY && operation != BARRIER;
    long count = bytes / sizeof(float), part = count / ranks / 4 * 4;
    int parts = operation >= ALL_GATHER && operation <= SCATTER;
    double factor = operation == ALL_REDUCE ? 2.0 * (ranks - 1) / ranks : parts ? (ranks - 1.0) / ranks : 1;
    int in_place_form = sized && operation != ALL_TO_ALL && operation != SEND_RECV && operation != BROADCAST;
    if (parts) {
        bytes = part * ranks * sizeof(float);
    }
    double out = seconds(operation, 0, count, part);
    double in = in_place_form ? seconds(operation, 1, count, part) : 0;
    if (rank == 0) {
        int reduces = operation == ALL_REDUCE || operation == REDUCE || operation == REDUCE_SCATTER;
        int rooted = operation == REDUCE || operation == BROADCAST || operation == GATHER || operation == SCATTER;
        printf(" %12ld  %12ld  %8s  %6s  %6d", bytes, !sized ? bytes / 8 : parts ? part : count,
            operation == BARRIER ? "none" : operation == LATENCY ? "int64" : "float", reduces ? "sum" : "none", rooted ? 0 : -1);
        print_timing(out, bytes, factor);
        if (in_place_form) {
            print_timing(in, bytes, factor);
        } else {
            printf("  %8s  %6s  %6s %6s", "N/A", "N/A", "N/A", "N/A");
        }
        printf("\n");
        fflush(stdout);
    }
}

static void print_columns(int operation) {
    printf("#\n# %s\n", NAMES[operation]);
    printf("#  %10s  %12s  %8s  %6s  %6s  %8s  %6s  %6s %6s  %8s  %6s  %6s %6s\n", "size", "count", "type", "redop", "root", "time", "algbw",
        "busbw", "#wrong", "time", "algbw", "busbw", "#wrong");
    printf("#  %10s  %12s  %8s  %6s  %6s  %8s  %6s  %6s %6s  %8s  %6s  %6s %6s\n", "(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)",
        "", "(us)", "(GB/s)", "(GB/s)", "");
}

static long size_of(const char *text) {
    char *end;
    long size = strtol(text, &end, 10);
    const char *suffix = *end == 0 ? "" : strchr("kKmMgG", *end);
    if (end == text || size < 0 || suffix == NULL || (*end != 0 && end[1] != 0)) {
        fail("not a size: ", text);
    }
    return size << (*end == 0 ? 0 : strchr("kK", *end) ? 10 : strchr("mM", *end) ? 20 : 30);
}

int main(int argc, char **argv) {
    int threads = MPI_THREAD_SINGLE, granted;
    for (int i = 2; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--threads") == 0 && atoi(argv[i + 1])) {
            threads = MPI_THREAD_MULTIPLE;
        }
    }
    MPI_Init_thread(&argc, &argv, threads, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    long smallest = 8, largest = 64 << 20, factor = 2;
    int wanted[OPERATIONS], number = 0, unknown = argc < 2;
    for (char *name = argc < 2 ? NULL : strtok(argv[1], ","); name != NULL; name = strtok(NULL, ",")) {
        int operation = -1;
        for (int each = 0; each < OPERATIONS; each++) {
            operation = strcasecmp(name, NAMES[each]) == 0 ? each : operation;
        }
        if (operation < 0 || number == OPERATIONS) {
            unknown = 1;
        } else {
            wanted[number++] = operation;
        }
    }
    if (unknown || number == 0) {
        fail("operations: latency, barrier, all_reduce, reduce, broadcast, all_gather, reduce_scatter, alltoall, gather, scatter, sendrecv", "");
    }
    for (int i = 2; i < argc; i += 2) {
        if (i + 1 == argc) {
            fail("no value for ", argv[i]);
        } else if (strcmp(argv[i], "-b") == 0) {
            smallest = size_of(argv[i + 1]);
        } else if (strcmp(argv[i], "-e") == 0) {
            largest = size_of(argv[i + 1]);
        } else if (strcmp(argv[i], "-f") == 0) {
            factor = atol(argv[i + 1]);
        } else if (strcmp(argv[i], "-n") == 0) {
            wanted_iterations = atol(argv[i + 1]);
        } else if (strcmp(argv[i], "--block-time") == 0) {
            block_seconds = atof(argv[i + 1]) / 1e3;
        } else if (strcmp(argv[i], "--poll") == 0) {
            polls = atoi(argv[i + 1]);
        } else if (strcmp(argv[i], "--meet") == 0) {
            meets = atoi(argv[i + 1]);
        } else if (strcmp(argv[i], "--threads") == 0) {
            // Looked at above.
        } else if (strcmp(argv[i], "--blocks") == 0) {
            blocks = atoi(argv[i + 1]);
        } else {
            fail("unknown option ", argv[i]);
        }
    }
    if (smallest < 1 || largest < smallest || largest > 1L << 32 || factor < 2 || blocks < 1 || block_seconds <= 0) {
        fail("sizes are 1 to 4G, the factor is at least 2, and there is at least one block", "");
    }
    sends = aligned_alloc(64, (largest + 127) / 64 * 64);
    recvs = aligned_alloc(64, (largest + 127) / 64 * 64);
    if (sends == NULL || recvs == NULL) {
        fail("not enough memory", "");
    }
    // Every page must be there before anything is timed. Not 0: some processors do not write zeros over zeros.
    for (long i = 0; i < (largest + 127) / 64 * 16; i++) {
        sends[i] = 1 + i % 5;
        recvs[i] = 2;
    }
    if (rank == 0) {
        char version[MPI_MAX_LIBRARY_VERSION_STRING];
        int length;
        MPI_Get_library_version(version, &length);
        version[strcspn(version, ",\n")] = 0;
        printf("# %s, %d ranks\n", version, ranks);
    }
    for (int i = 0; i < number; i++) {
        int operation = wanted[i];
        if (operation == LATENCY && ranks < 2) {
            fail("latency needs 2 ranks", "");
        }
        if (rank == 0) {
            print_columns(operation);
        }
        if (operation == LATENCY || operation == BARRIER) {
            measure(operation, operation == LATENCY ? 8 : 0);
        } else {
            for (long bytes = smallest; bytes <= largest; bytes *= factor) {
                measure(operation, bytes);
            }
        }
    }
    MPI_Finalize();
    return 0;
}
