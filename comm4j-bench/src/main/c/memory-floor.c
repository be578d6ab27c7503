// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0
//
// What this machine's memory gives to one process and to several at once: a copy of 64 MiB, and the work of one rank of an
// allReduce of 64 MiB float32 out of place between two ranks (half of the elements: read from two arrays, add, store to two others),
// with ordinary stores and with stores that bypass the caches. It is the floor that the embedded engine is held against.
//
//     gcc -O3 -march=native -o memory-floor memory-floor.c && ./memory-floor [PROCESSES]

#define _GNU_SOURCE
#include <immintrin.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 16 << 20, ROUNDS = 20 };

// Arrays begin at different places of their pages, as those of the engine do.
enum { APART = N + 1616 };

typedef void Work(const float *a, const float *b, float *c, float *d, long n);

static void copy_streaming(const float *a, const float *b, float *c, float *d, long n) {
    for (long i = 0; i < n; i += 8) _mm256_stream_ps(c + i, _mm256_loadu_ps(a + i));
}

static void copy_ordinary(const float *a, const float *b, float *c, float *d, long n) {
    for (long i = 0; i < n; i += 8) _mm256_storeu_ps(c + i, _mm256_loadu_ps(a + i));
}

static void reduce_streaming(const float *a, const float *b, float *c, float *d, long n) {
    for (long i = 0; i < n / 2; i += 8) {
        __m256 sum = _mm256_add_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i));
        _mm256_stream_ps(c + i, sum);
        _mm256_stream_ps(d + i, sum);
    }
}

static void reduce_ordinary(const float *a, const float *b, float *c, float *d, long n) {
    for (long i = 0; i < n / 2; i += 8) {
        __m256 sum = _mm256_add_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i));
        _mm256_storeu_ps(c + i, sum);
        _mm256_storeu_ps(d + i, sum);
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

struct shared {
    atomic_long arrived;
    double seconds[256];
};

static void rank(struct shared *shared, int me, int processes, float *arrays, Work *work) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(me % sysconf(_SC_NPROCESSORS_ONLN), &one);
    sched_setaffinity(0, sizeof one, &one);
    // a and d are mine, b and c another one's.
    float *a = arrays + 2L * me * APART, *d = a + APART;
    float *b = arrays + 2L * ((me + 1) % processes) * APART, *c = b + APART;
    double best = 1e9;
    for (int round = 1; round <= ROUNDS; round++) {
        atomic_fetch_add(&shared->arrived, 1);
        while (atomic_load(&shared->arrived) < (long)round * processes);
        double start = now();
        work(a, b, c, d, N);
        double seconds = now() - start;
        if (seconds < best) best = seconds;
    }
    shared->seconds[me] = best;
}

int main(int count, char **arguments) {
    int processes = count > 1 ? atoi(arguments[1]) : 2;
    if (processes < 1 || processes > 256) {
        fprintf(stderr, "memory-floor: 1 to 256 processes\n");
        return 2;
    }
    struct shared *shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    size_t bytes = 2L * processes * APART * sizeof(float);
    float *arrays = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || arrays == MAP_FAILED) {
        perror("memory-floor: mmap");
        return 1;
    }
    memset(arrays, 0, bytes);
    struct {
        const char *name;
        Work *work;
    } works[] = {
        {"copy, streaming stores", copy_streaming},
        {"copy, ordinary stores", copy_ordinary},
        {"allReduce share, streaming stores", reduce_streaming},
        {"allReduce share, ordinary stores", reduce_ordinary},
    };
    for (int p = 1; p <= processes; p += processes > 1 ? processes - 1 : 1) {
        // A process alone has nobody to reduce with.
        for (int w = 0; w < (p > 1 ? 4 : 2); w++) {
            atomic_store(&shared->arrived, 0);
            for (int me = 0; me < p; me++) {
                if (fork() == 0) {
                    rank(shared, me, p, arrays, works[w].work);
                    _exit(0);
                }
            }
            double slowest = 0;
            for (int me = 0; me < p; me++) wait(0);
            for (int me = 0; me < p; me++) if (shared->seconds[me] > slowest) slowest = shared->seconds[me];
            printf("%d at once  %-34s %5.1f GB/s\n", p, works[w].name, N * sizeof(float) / slowest / 1e9);
        }
    }
}
