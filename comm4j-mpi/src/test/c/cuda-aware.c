// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// Open MPI that says that it takes memory of GPUs, and notes the addresses that some of its functions are given. All
// else is the library that this one is linked with.

#include <stdint.h>

#define PLACES 4096

static void *places[PLACES];
static int noted;

static void note(const void *address) { places[noted++ % PLACES] = (void *)address; }

/** How often a function was given this address. */
int aware_seen(void *address) {
  int count = 0;
  for (int i = 0; i < PLACES; i++) {
    count += places[i] == address;
  }
  return count;
}

int MPIX_Query_cuda_support(void) { return 1; }

#define NOTED(name, types, arguments, from, to) \
  int P##name types;                            \
  int name types {                              \
    note(from);                                 \
    note(to);                                   \
    return P##name arguments;                   \
  }

NOTED(MPI_Iallreduce, (const void *s, void *r, int n, void *t, void *o, void *c, void *q), (s, r, n, t, o, c, q), s, r)
NOTED(MPI_Allreduce, (const void *s, void *r, int n, void *t, void *o, void *c), (s, r, n, t, o, c), s, r)
NOTED(MPI_Ibcast, (void *b, int n, void *t, int root, void *c, void *q), (b, n, t, root, c, q), b, b)
NOTED(MPI_Isend, (const void *b, int n, void *t, int to, int tag, void *c, void *q), (b, n, t, to, tag, c, q), b, b)
NOTED(MPI_Irecv, (void *b, int n, void *t, int from, int tag, void *c, void *q), (b, n, t, from, tag, c, q), b, b)
