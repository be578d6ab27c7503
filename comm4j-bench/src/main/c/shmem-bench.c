// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// The tests of "comm4j bench shmem" in C: the same loops, sizes and ways of timing, the same tables, for laying both side by side. Written for version 1.4 of OpenSHMEM; collectives are
// those of active sets, of elements of 32 bits. Results are not checked.
//
//     oshcc -O3 -o shmem-bench shmem-bench.c && oshrun -n 2 ./shmem-bench put,barrier -b 8 -e 64K

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LATENCY, RATE, ATOMIC, BARRIER, COLLECTIVE };

static int me, pes, partner = -1, blocks = 1;
static char *source, *destination;
static int narrow; // atomics of 32 bits
static int with_barriers; // what collectives are timed with
static long iterations_wanted, smallest, largest = 1 << 20, factor = 2;
static double warmup_seconds = 0.02;
static long sync_words[2][SHMEM_ALLTOALL_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE];
static double sum_from, sum_to, sum_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sum_sync[SHMEM_REDUCE_SYNC_SIZE];
static float *reduce_work;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

// ---- the loops: so many calls, the seconds that they took on this PE ----

#define ALL_TOGETHER(NAME, CALL, AFTER)                                                                                                              \
    static double NAME(long iterations, long size) {                                                                                                 \
        double start = now();                                                                                                                        \
        for (long i = 0; i < iterations; i++) {                                                                                                      \
            CALL;                                                                                                                                    \
        }                                                                                                                                            \
        AFTER;                                                                                                                                       \
        return now() - start;                                                                                                                        \
    }

// Each call by itself, with a barrier between that is not timed, so that the same words can synchronise the next one.
#define ONE_BY_ONE(NAME, CALL)                                                                                                                       \
    static double NAME(long iterations, long size) {                                                                                                 \
        double begin = now(), seconds = 0;                                                                                                           \
        for (long i = 0; i < iterations; i++) {                                                                                                      \
            double start = now();                                                                                                                    \
            CALL;                                                                                                                                    \
            seconds += now() - start;                                                                                                                \
            shmem_barrier_all();                                                                                                                     \
        }                                                                                                                                            \
        return with_barriers ? now() - begin : seconds;                                                                                              \
    }

static long fetched;

#define ATOMICS(TYPE)                                                                                                                                \
    ALL_TOGETHER(TYPE##_set, shmem_##TYPE##_atomic_set((TYPE *) destination + i, i, partner), )                                                      \
    ALL_TOGETHER(TYPE##_inc, shmem_##TYPE##_atomic_inc((TYPE *) destination + i, partner), )                                                         \
    ALL_TOGETHER(TYPE##_add, shmem_##TYPE##_atomic_add((TYPE *) destination + i, 1, partner), )                                                      \
    ALL_TOGETHER(TYPE##_fetch, fetched += shmem_##TYPE##_atomic_fetch((TYPE *) destination + i, partner), )                                          \
    ALL_TOGETHER(TYPE##_fetch_inc, fetched += shmem_##TYPE##_atomic_fetch_inc((TYPE *) destination + i, partner), )                                  \
    ALL_TOGETHER(TYPE##_fetch_add, fetched += shmem_##TYPE##_atomic_fetch_add((TYPE *) destination + i, 1, partner), )                               \
    ALL_TOGETHER(TYPE##_swap, fetched += shmem_##TYPE##_atomic_swap((TYPE *) destination + i, i, partner), )

ATOMICS(long)
ATOMICS(int)
// That of 32 bits overwrites the stack in Open MPI 4.1.4.
ALL_TOGETHER(long_compare_swap, fetched += shmem_long_atomic_compare_swap((long *) destination + i, 0, i + 1, partner), )

ALL_TOGETHER(put, shmem_putmem(destination, source, size, 1); shmem_quiet(), )
ALL_TOGETHER(put_nb, shmem_putmem_nbi(destination, source, size, 1); shmem_quiet(), )
ALL_TOGETHER(get, shmem_getmem(destination, source, size, 1), )
ALL_TOGETHER(get_nb, shmem_getmem_nbi(destination, source, size, 1); shmem_quiet(), )
ALL_TOGETHER(put_mr, shmem_putmem(destination + i * size, source + i * size, size, partner), shmem_quiet())
ALL_TOGETHER(put_mr_nb, shmem_putmem_nbi(destination + i * size, source + i * size, size, partner), shmem_quiet())
ALL_TOGETHER(get_mr_nb, shmem_getmem_nbi(destination + i * size, source + i * size, size, partner), shmem_quiet())
ALL_TOGETHER(barrier, shmem_barrier_all(), )

ONE_BY_ONE(broadcast, shmem_broadcast32(destination, source, size / 4, 0, 0, 0, pes, sync_words[i % 2]))
ONE_BY_ONE(collect, shmem_collect32(destination, source, size / 4, 0, 0, pes, sync_words[i % 2]))
ONE_BY_ONE(fcollect, shmem_fcollect32(destination, source, size / 4, 0, 0, pes, sync_words[i % 2]))
ONE_BY_ONE(alltoall, shmem_alltoall32(destination, source, size / 4, 0, 0, pes, sync_words[i % 2]))
ONE_BY_ONE(reduce, shmem_float_sum_to_all((float *) destination, (float *) source, size / 4, 0, 0, pes, reduce_work, sync_words[i % 2]))

struct test {
    const char *name;
    int kind;
    double (*wide)(long, long);
    double (*narrow)(long, long);
};

static const struct test TESTS[] = {
    {"put", LATENCY, put, put},
    {"put_nb", LATENCY, put_nb, put_nb},
    {"get", LATENCY, get, get},
    {"get_nb", LATENCY, get_nb, get_nb},
    {"put_mr", RATE, put_mr, put_mr},
    {"put_mr_nb", RATE, put_mr_nb, put_mr_nb},
    {"get_mr_nb", RATE, get_mr_nb, get_mr_nb},
    {"atomic_set", ATOMIC, long_set, int_set},
    {"atomic_inc", ATOMIC, long_inc, int_inc},
    {"atomic_add", ATOMIC, long_add, int_add},
    {"atomic_fetch", ATOMIC, long_fetch, int_fetch},
    {"atomic_fetch_inc", ATOMIC, long_fetch_inc, int_fetch_inc},
    {"atomic_fetch_add", ATOMIC, long_fetch_add, int_fetch_add},
    {"atomic_swap", ATOMIC, long_swap, int_swap},
    {"atomic_compare_swap", ATOMIC, long_compare_swap, NULL},
    {"barrier", BARRIER, barrier, barrier},
    {"broadcast", COLLECTIVE, broadcast, broadcast},
    {"collect", COLLECTIVE, collect, collect},
    {"fcollect", COLLECTIVE, fcollect, fcollect},
    {"alltoall", COLLECTIVE, alltoall, alltoall},
    {"reduce", COLLECTIVE, reduce, reduce},
};
enum { TEST_COUNT = sizeof TESTS / sizeof TESTS[0] };

// ---- how often, how large: what OSU's programs take ----

static long iterations_of(int kind, long size) {
    if (iterations_wanted > 0) {
        return iterations_wanted;
    }
    return kind == ATOMIC ? 500 : kind == RATE ? (size < 8192 ? 500 : 50) : kind == BARRIER || size <= 8192 ? 1000 : 100;
}

static long warmup_of(int kind, long size) {
    return kind == ATOMIC || kind == RATE ? 50 : kind == BARRIER || size <= 8192 ? 200 : 10;
}

static long least_size(int kind) {
    long least = kind == COLLECTIVE ? 4 : 1;
    return kind == ATOMIC ? (narrow ? 4 : 8) : kind == BARRIER ? 0 : smallest > least ? smallest : least;
}

static double sum(double value) {
    sum_from = value;
    shmem_barrier_all();
    shmem_double_sum_to_all(&sum_to, &sum_from, 1, 0, 0, pes, sum_work, sum_sync);
    shmem_barrier_all();
    return sum_to;
}

static int acts(int kind) {
    return kind == LATENCY ? me == 0 : kind == BARRIER || kind == COLLECTIVE || partner >= 0;
}

static double run(const struct test *test, long iterations, long size) {
    shmem_barrier_all();
    double seconds = !acts(test->kind) ? 0 : narrow ? test->narrow(iterations, size) : test->wide(iterations, size);
    shmem_barrier_all();
    return seconds;
}

static void measure(const struct test *test, long size) {
    long iterations = iterations_of(test->kind, size);
    run(test, warmup_of(test->kind, size), size);
    double acting = sum(acts(test->kind)), least = 1e9;
    for (int block = 0; block < blocks; block++) {
        double seconds = sum(run(test, iterations, size)) / acting / iterations;
        least = seconds < least ? seconds : least;
    }
    if (me == 0) {
        if (test->kind == BARRIER) {
            printf("%-10s%18.5f\n", "", least * 1e6);
        } else if (test->kind == ATOMIC) {
            printf("%-10ld%18.2f%18.5f\n", size, pes / 2 / least / 1e6, least * 1e6);
        } else if (test->kind == RATE) {
            printf("%-10ld%18.2f%18.5f\n", size, pes / 2 / least, least * 1e6);
        } else {
            printf("%-10ld%18.5f\n", size, least * 1e6);
        }
        fflush(stdout);
    }
}

static void measure_all(const struct test *test) {
    int sized = test->kind != ATOMIC && test->kind != BARRIER;
    long least = least_size(test->kind), most = sized ? largest : least;
    if (me == 0) {
        printf("\n# OpenSHMEM %s test, %s\n", test->name, test->kind == COLLECTIVE ? "float" : test->kind == ATOMIC ? (narrow ? "int32" : "int64") : "uint8");
        if (test->kind == BARRIER) {
            printf("%-10s%18s\n", "#", "Latency (us)");
        } else if (sized && test->kind != RATE) {
            printf("%-10s%18s\n", "# Size", "Latency (us)");
        } else {
            printf("%-10s%18s%18s\n", sized ? "# Size" : "# Bytes", sized ? "Messages/s" : "Million ops/s", "Latency (us)");
        }
    }
    double start = now();
    do {
        for (long size = least; size <= most; size = size > 0 ? size * factor : 1) {
            run(test, warmup_of(test->kind, size), size);
        }
    } while (sum(now() - start) / pes < warmup_seconds);
    for (long size = least; size <= most; size = size > 0 ? size * factor : 1) {
        measure(test, size);
    }
}

static int is_named(const struct test *test, const char *name) {
    return strcmp(name, test->name) == 0 || strcmp(name, "all") == 0 || (strcmp(name, "atomics") == 0 && test->kind == ATOMIC);
}

static void fail(const char *message, const char *what) {
    if (me == 0) {
        fprintf(stderr, "shmem-bench: %s%s\n", message, what);
    }
    shmem_global_exit(2);
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
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    if (argc < 2) {
        fail("a test is missing, or several with commas between them, or atomics, or all", "");
    }
    for (int i = 2; i < argc; i += 2) {
        if (strcmp(argv[i], "--with-barriers") == 0) {
            with_barriers = 1;
            i--;
        } else if (i + 1 == argc) {
            fail("no value for ", argv[i]);
        } else if (strcmp(argv[i], "-b") == 0) {
            smallest = size_of(argv[i + 1]);
        } else if (strcmp(argv[i], "-e") == 0) {
            largest = size_of(argv[i + 1]);
        } else if (strcmp(argv[i], "-f") == 0) {
            factor = atol(argv[i + 1]);
        } else if (strcmp(argv[i], "-n") == 0) {
            iterations_wanted = atol(argv[i + 1]);
        } else if (strcmp(argv[i], "-d") == 0) {
            narrow = strcmp(argv[i + 1], "int32") == 0;
        } else if (strcmp(argv[i], "--blocks") == 0) {
            blocks = atoi(argv[i + 1]);
        } else {
            fail("unknown option ", argv[i]);
        }
    }
    if (factor < 2 || blocks < 1) {
        fail("the factor is at least 2, and there is at least one block", "");
    }
    if (pes < 2) {
        fail("2 PEs are needed at least", "");
    }
    partner = me < pes / 2 ? me + pes / 2 : -1;
    long most = 4096;
    for (long size = 1; size <= largest; size *= 2) {
        long each = size * (iterations_of(RATE, size) > pes ? iterations_of(RATE, size) : pes);
        most = each > most ? each : most;
    }
    most = iterations_of(ATOMIC, 8) * 8 > most ? iterations_of(ATOMIC, 8) * 8 : most;
    source = shmem_align(4096, most);
    destination = shmem_align(4096, most);
    reduce_work = shmem_align(4096, (largest / 8 + SHMEM_REDUCE_MIN_WRKDATA_SIZE) * sizeof(float));
    if (source == NULL || destination == NULL || reduce_work == NULL) {
        fail("not enough symmetric memory: set SMA_SYMMETRIC_SIZE", "");
    }
    // Every page must be there before anything is timed. Sums of zeros stay zero, and never become slow subnormals.
    memset(source, 0, most);
    memset(destination, 0, most);
    for (size_t i = 0; i < sizeof sync_words / sizeof(long); i++) {
        ((long *) sync_words)[i] = SHMEM_SYNC_VALUE;
    }
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) {
        sum_sync[i] = SHMEM_SYNC_VALUE;
    }
    shmem_barrier_all();
    if (me == 0) {
        int major, minor;
        char name[SHMEM_MAX_NAME_LEN];
        shmem_info_get_version(&major, &minor);
        shmem_info_get_name(name);
        printf("# OpenSHMEM by C, %s %d.%d, %d PEs, iters: OSU's, blocks: %d, validation: 0%s\n", name, major, minor, pes, blocks, with_barriers ? ", with barriers" : "");
    }
    for (char *name = strtok(argv[1], ","); name != NULL; name = strtok(NULL, ",")) {
        int known = 0;
        for (int i = 0; i < TEST_COUNT; i++) {
            if (is_named(&TESTS[i], name)) {
                known = 1;
                if (!narrow || TESTS[i].narrow != NULL) {
                    measure_all(&TESTS[i]);
                }
            }
        }
        if (!known) {
            fail("there is no test ", name);
        }
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
