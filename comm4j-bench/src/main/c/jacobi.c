// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0
//
// The Jacobi problem of JacobiProblem.java in plain C, to measure the Java one against: two arrays, one iteration a pass over memory.
//
//   gcc -O3 -march=native -o jacobi jacobi.c -lm
//   jacobi PROCESSES NX NY ITERATIONS naive|vector
//
// naive:  one float sums the norm, in order. A compiler must keep that order, so it cannot use vectors for it.
// vector: 64 partial sums, for which gcc uses vector registers; a double gathers them after each row.
//
// Several processes (fork) share the rows. The arrays are shared memory (mmap); each process writes its border rows into its neighbours' halo, then
// all meet at a spin barrier, once an iteration, and each adds its part of the norm as allReduce does.
//
// Prints: name, processes, nx, ny, iterations, 1, seconds, Gpoint/s, first and last norm. GB/s of data that has to be
// read and written (8 bytes a point) is 8 times Gpoint/s; of memory traffic, 12 times.

#define _GNU_SOURCE
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LANES = 64, MAX_PROCESSES = 64 };

typedef double (*sweep_function)(float *restrict next, const float *restrict now, long nx, long rows);

typedef struct {
    _Alignas(64) atomic_int arrived;
    _Alignas(64) atomic_int epoch;
    struct {
        _Alignas(64) double norm[2];
    } part[MAX_PROCESSES];
} shared_state;

/* As comm4j run and mpirun do, so that two processes never share a processor while another one idles. */
static void bind_to_share(int part, int parts) {
    cpu_set_t all, mine;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < parts) return;
    int share = CPU_COUNT(&all) / parts, seen = 0;
    CPU_ZERO(&mine);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &all) && seen++ / share == part) CPU_SET(cpu, &mine);
    }
    sched_setaffinity(0, sizeof mine, &mine);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// Row 0 is the upper halo, rows 1 to `rows` are computed, row rows+1 is the lower halo.
__attribute__((noinline)) static double sweep_naive(
        float *restrict next, const float *restrict now, long nx, long rows) {
    float sum = 0;
    for (long y = 1; y <= rows; y++) {
        for (long x = 1; x < nx - 1; x++) {
            long i = y * nx + x;
            float mean = 0.25f * (now[i + 1] + now[i - 1] + now[i + nx] + now[i - nx]);
            float change = mean - now[i];
            next[i] = mean;
            sum += change * change;
        }
    }
    return sum;
}

__attribute__((noinline)) static double sweep_vector(
        float *restrict next, const float *restrict now, long nx, long rows) {
    double sum = 0;
    for (long y = 1; y <= rows; y++) {
        const float *m = now + y * nx, *up = m - nx, *down = m + nx;
        float *out = next + y * nx;
        float lane[LANES] = {0};
        long x = 1;
        for (; x + LANES <= nx - 1; x += LANES) {
            for (int k = 0; k < LANES; k++) {
                float mean = 0.25f * (m[x + k + 1] + m[x + k - 1] + down[x + k] + up[x + k]);
                float change = mean - m[x + k];
                out[x + k] = mean;
                lane[k] += change * change;
            }
        }
        for (; x < nx - 1; x++) {
            float mean = 0.25f * (m[x + 1] + m[x - 1] + down[x] + up[x]);
            float change = mean - m[x];
            out[x] = mean;
            lane[0] += change * change;
        }
        for (int k = 0; k < LANES; k++) sum += lane[k];
    }
    return sum;
}

static void *share(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        perror("jacobi: mmap");
        exit(1);
    }
    return p;
}

static void barrier(shared_state *state, int processes) {
    int epoch = atomic_load_explicit(&state->epoch, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&state->arrived, 1, memory_order_acq_rel) == processes - 1) {
        atomic_store_explicit(&state->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&state->epoch, epoch + 1, memory_order_release);
    } else {
        while (atomic_load_explicit(&state->epoch, memory_order_acquire) == epoch) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: jacobi PROCESSES NX NY ITERATIONS naive|vector\n");
        return 2;
    }
    int processes = atoi(argv[1]), iterations = atoi(argv[4]);
    long nx = atol(argv[2]), ny = atol(argv[3]);
    int vector = strcmp(argv[5], "vector") == 0;
    sweep_function sweep = vector ? sweep_vector : sweep_naive;
    if (processes < 1 || processes > MAX_PROCESSES || nx < 3 || ny - 2 < processes || iterations < 1) {
        fprintf(stderr, "jacobi: impossible processes, nx, ny or iterations\n");
        return 2;
    }
    shared_state *state = share(sizeof *state);
    float *grid[MAX_PROCESSES][2];
    long first[MAX_PROCESSES], rows[MAX_PROCESSES];
    for (int r = 0, next = 1; r < processes; r++) {
        first[r] = next;
        rows[r] = (ny - 2) / processes + (r < (ny - 2) % processes);
        next += rows[r];
        for (int k = 0; k < 2; k++) {
            size_t bytes = (rows[r] + 2) * nx * sizeof(float);
            // One process has no use for shared memory, whose pages are a little slower than its own.
            if (processes > 1) {
                grid[r][k] = share(bytes);
            } else if (!(grid[r][k] = aligned_alloc(64, (bytes + 63) / 64 * 64))) {
                fprintf(stderr, "jacobi: no memory for %zu bytes\n", bytes);
                return 1;
            }
        }
    }
    int me = 0;
    for (int r = 1; r < processes; r++) {
        pid_t child = fork();
        if (child < 0) {
            perror("jacobi: fork");
            return 1;
        }
        if (child == 0) {
            me = r;
            break;
        }
    }
    bind_to_share(me, processes);
    for (int k = 0; k < 2; k++) {
        float *a = grid[me][k];
        memset(a, 0, (rows[me] + 2) * nx * sizeof(float));
        for (long y = 0; y < rows[me] + 2; y++) {
            a[y * nx] = a[y * nx + nx - 1] = (float)sin(2.0 * M_PI * (first[me] - 1 + y) / (ny - 1));
        }
    }
    int above = (me + processes - 1) % processes, below = (me + 1) % processes;
    double first_norm = 0, last_norm = 0;
    barrier(state, processes);
    double begin = seconds();
    for (int i = 0; i < iterations; i++) {
        float *now = grid[me][i & 1], *next = grid[me][~i & 1];
        state->part[me].norm[i & 1] = sweep(next, now, nx, rows[me]);
        // Columns 1 to nx-2 travel; the fixed ones of a halo row are not read.
        size_t bytes = (nx - 2) * sizeof(float);
        memcpy(grid[above][~i & 1] + (rows[above] + 1) * nx + 1, next + nx + 1, bytes);
        memcpy(grid[below][~i & 1] + 1, next + rows[me] * nx + 1, bytes);
        barrier(state, processes);
        double sum = 0;
        for (int r = 0; r < processes; r++) sum += state->part[r].norm[i & 1];
        last_norm = sqrt(sum);
        if (i == 0) first_norm = last_norm;
    }
    double time = seconds() - begin;
    if (me > 0) return 0;
    int failed = 0, status;
    while (wait(&status) > 0) failed |= status;
    printf("c-%s %d %ld %ld %d 1 %.6f %.3f %.6f %.6f\n", vector ? "vector" : "naive", processes, nx, ny, iterations, time,
           (double)(nx - 2) * (ny - 2) * iterations / time * 1e-9, first_norm, last_norm);
    return failed != 0;
}
