// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// NCCL's collectives as a program in C calls them, for CallsBesideC: a loop for each, over the GPUs of one thread. The library is the one
// that the process has loaded already, so no header is needed; its interface does not change.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

// One GPU of the thread, and its two buffers at each place.
struct seat {
    void *comm, *stream;
    long rank, ranks;
    void *const *send;
    void *const *recv;
};

#define FUNCTIONS(f)                                                                                              \
    f(ncclGroupStart, (void))                                                                                     \
    f(ncclGroupEnd, (void))                                                                                       \
    f(ncclAllReduce, (const void *, void *, size_t, int, int, void *, void *))                                    \
    f(ncclReduce, (const void *, void *, size_t, int, int, int, void *, void *))                                  \
    f(ncclBroadcast, (const void *, void *, size_t, int, int, void *, void *))                                    \
    f(ncclAllGather, (const void *, void *, size_t, int, void *, void *))                                         \
    f(ncclReduceScatter, (const void *, void *, size_t, int, int, void *, void *))                                \
    f(ncclAlltoAll, (const void *, void *, size_t, int, void *, void *))                                          \
    f(ncclGather, (const void *, void *, size_t, int, int, void *, void *))                                       \
    f(ncclScatter, (const void *, void *, size_t, int, int, void *, void *))                                      \
    f(ncclSend, (const void *, size_t, int, int, void *, void *))                                                 \
    f(ncclRecv, (void *, size_t, int, int, void *, void *))

#define DECLARE(name, parameters) static int(*name) parameters;
FUNCTIONS(DECLARE)

// Finds the functions in the loaded library of this file; 0 if all are there.
int open_nccl(const char *file) {
    void *library = dlopen(file, RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL) {
        return -1;
    }
#define FIND(name, parameters)                                              \
    if ((name = (int(*) parameters)dlsym(library, #name)) == NULL) {        \
        return -1;                                                          \
    }
    FUNCTIONS(FIND)
    return 0;
}

#define TRY(call)                    \
    do {                             \
        int status = (call);         \
        if (status != 0) {           \
            return status;           \
        }                            \
    } while (0)

// Each call uses the next place; the calls of several GPUs are a group.
#define LOOP(name, call)                                                                                                       \
    int name(const struct seat *seats, int n, int places, size_t count, int type, int op, int root, long calls) {              \
        (void)op, (void)root;                                                                                                  \
        for (long i = 0, place = 0; i < calls; i++, place = place + 1 == places ? 0 : place + 1) {                             \
            if (n > 1) {                                                                                                       \
                TRY(ncclGroupStart());                                                                                         \
            }                                                                                                                  \
            for (const struct seat *s = seats; s < seats + n; s++) {                                                           \
                const void *send = s->send[place];                                                                             \
                void *recv = s->recv[place];                                                                                   \
                TRY(call);                                                                                                     \
            }                                                                                                                  \
            if (n > 1) {                                                                                                       \
                TRY(ncclGroupEnd());                                                                                           \
            }                                                                                                                  \
        }                                                                                                                      \
        return 0;                                                                                                              \
    }

static int ring(const struct seat *s, const void *send, void *recv, size_t count, int type) {
    TRY(ncclGroupStart());
    TRY(ncclSend(send, count, type, (int)((s->rank + 1) % s->ranks), s->comm, s->stream));
    TRY(ncclRecv(recv, count, type, (int)((s->rank + s->ranks - 1) % s->ranks), s->comm, s->stream));
    return ncclGroupEnd();
}

LOOP(all_reduce, ncclAllReduce(send, recv, count, type, op, s->comm, s->stream))
LOOP(reduce, ncclReduce(send, recv, count, type, op, root, s->comm, s->stream))
LOOP(broadcast, ncclBroadcast(send, recv, count, type, root, s->comm, s->stream))
LOOP(all_gather, ncclAllGather(send, recv, count, type, s->comm, s->stream))
LOOP(reduce_scatter, ncclReduceScatter(send, recv, count, type, op, s->comm, s->stream))
LOOP(alltoall, ncclAlltoAll(send, recv, count, type, s->comm, s->stream))
LOOP(gather, ncclGather(send, recv, count, type, root, s->comm, s->stream))
LOOP(scatter, ncclScatter(send, recv, count, type, root, s->comm, s->stream))
LOOP(sendrecv, ring(s, send, recv, count, type))
