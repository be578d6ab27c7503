// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// Times of MPI_Put and MPI_Get, each with MPI_Win_flush, from rank 0 to a rank that waits in a barrier: microseconds, the
// least of BLOCKS blocks, a line for each size. The same loops as PutGetProgram.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 40, SIZES = 4 };

static const long BYTES[SIZES] = {8, 4096, 65536, 1048576};
static const int CALLS[SIZES] = {200, 200, 50, 10};

static double seconds(MPI_Win window, char *local, int bytes, int calls, int get) {
    double start = MPI_Wtime();
    for (int i = 0; i < calls; i++) {
        if (get) {
            MPI_Get(local, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, window);
        } else {
            MPI_Put(local, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, window);
        }
        MPI_Win_flush(1, window);
    }
    return (MPI_Wtime() - start) / calls;
}

int main(int argc, char **argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *shared, *local = malloc(BYTES[SIZES - 1]);
    MPI_Win window;
    MPI_Win_allocate(BYTES[SIZES - 1], 1, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &window);
    memset(local, rank + 1, BYTES[SIZES - 1]);
    memset(shared, rank + 1, BYTES[SIZES - 1]);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int get = 0; get < 2; get++) {
        for (int size = 0; size < SIZES; size++) {
            double least = 1e9;
            for (int block = 0; rank == 0 && block < BLOCKS; block++) {
                double time = seconds(window, local, BYTES[size], CALLS[size], get);
                least = time < least ? time : least;
            }
            if (rank == 0) {
                printf("%s %ld %.2f\n", get ? "get" : "put", BYTES[size], least * 1e6);
                fflush(stdout);
            }
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    // MPICH 4.0 over UCX's TCP does not come back from MPI_Win_free or MPI_Finalize after puts.
    _exit(0);
}
