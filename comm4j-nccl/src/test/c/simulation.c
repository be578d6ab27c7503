// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/*
 * An NCCL in host memory, over the driver in host memory: for tests on machines without a GPU. Ranks are communicators of this process.
 * Collectives really happen, in rank order, when the streams of all ranks have reached them. Tests can make calls fail, hang, or be
 * counted: the sim_ functions.
 *
 * It is NCCL 2.28.9, or with -DNEWEST 2.32.3, which has more functions and larger structs.
 */

#include "../../../../comm4j-cuda/src/test/c/simulated-driver.h"
#include <limits.h>

static char lastError[1024];
#ifdef NEWEST
static int version = 23203;
#else
static int version = 22809;
#endif
static int asyncError, noWindows;
static long liveComms;
static long destroyWaits; /* as since 2.31: until all ranks destroy theirs, and one that aborts never does */
static long configBytes;
static unsigned char lastConfig[256];

/* ---- NCCL: numbers ---- */

enum { SUCCESS, CUDA_ERROR, SYSTEM_ERROR, INTERNAL, INVALID_ARGUMENT, INVALID_USAGE, REMOTE_ERROR, IN_PROGRESS };
enum { I8, U8, I32, U32, I64, U64, F16, F32, F64, BF16, E4M3, E5M2 };
enum { SUM, PROD, MAX, MIN, AVG };
static const int SIZE[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

static float small(int bits, int exponentBits, int mantissaBits, int finite) {
    int bias = (1 << (exponentBits - 1)) - 1, mantissa = bits & ((1 << mantissaBits) - 1);
    int exponent = bits >> mantissaBits & ((1 << exponentBits) - 1), top = (1 << exponentBits) - 1;
    float sign = bits >> (mantissaBits + exponentBits) & 1 ? -1 : 1;
    if (exponent == top && !finite) return mantissa ? __builtin_nanf("") : sign * __builtin_inff();
    if (finite && exponent == top && mantissa == (1 << mantissaBits) - 1) return __builtin_nanf("");
    float m = exponent ? 1 + mantissa / (float)(1 << mantissaBits) : mantissa / (float)(1 << mantissaBits);
    return sign * __builtin_ldexpf(m, (exponent ? exponent : 1) - bias);
}
static float widen(int type, int bits) {
    switch (type) {
    case F16: return small(bits, 5, 10, 0);
    case BF16: return small(bits, 8, 7, 0);
    case E4M3: return small(bits, 4, 3, 1);
    default: return small(bits, 5, 2, 0);
    }
}
/* To the nearest, ties to even: codes of one sign ascend with their values. */
static int narrow(int type, float x) {
    int bits = type == F16 || type == BF16 ? 15 : 7, sign = __builtin_signbit(x) ? 1 << bits : 0;
    if (x != x) return (1 << bits) - 1;
    int top = type == F16 ? 0x7c00 : type == BF16 ? 0x7f80 : type == E4M3 ? 0x7f : 0x7c; /* infinity, or NaN where there is none */
    double a = x < 0 ? -(double)x : x;
    int low = 0, high = top;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (widen(type, middle) <= a) low = middle; else high = middle;
    }
    double below = widen(type, low);
    double above = high < top ? widen(type, high) : 2 * below - widen(type, low - 1);
    if (a - below > above - a || (a - below == above - a && (low & 1))) low = high;
    /* Eight bits saturate. */
    if (bits == 7 && low == top) low = top - 1;
    return sign | low;
}

#define REDUCE(T, ACC)                                                         \
    for (size_t i = 0; i < n; i++) {                                           \
        ACC a = ((const T*)from[0])[i];                                        \
        for (int r = 1; r < ranks; r++) {                                      \
            ACC b = ((const T*)from[r])[i];                                    \
            a = op == PROD ? a * b : op == MAX ? (b > a || b != b ? b : a)     \
              : op == MIN ? (b < a || b != b ? b : a) : a + b;                 \
        }                                                                      \
        ((T*)to)[i] = op == AVG ? (T)a / (T)ranks : (T)a;                      \
    }                                                                          \
    break
static void combine(int type, int op, const char** from, int ranks, char* to, size_t n) {
    switch (type) {
    case I8: { for (size_t i = 0; i < n; i++) {
        int8_t a = from[0][i];
        for (int r = 1; r < ranks; r++) { int8_t b = from[r][i]; a = op == PROD ? a * b : op == MAX ? (b > a ? b : a) : op == MIN ? (b < a ? b : a) : a + b; }
        to[i] = op == AVG ? a / ranks : a; } } break;
    case U8: REDUCE(uint8_t, uint8_t);
    case I32: for (size_t i = 0; i < n; i++) {
        int32_t a = ((const int32_t*)from[0])[i];
        for (int r = 1; r < ranks; r++) { int32_t b = ((const int32_t*)from[r])[i]; a = op == PROD ? (int32_t)((uint32_t)a * (uint32_t)b) : op == MAX ? (b > a ? b : a) : op == MIN ? (b < a ? b : a) : (int32_t)((uint32_t)a + (uint32_t)b); }
        ((int32_t*)to)[i] = op == AVG ? (int32_t)((int64_t)a / ranks) : a; } break;
    case U32: REDUCE(uint32_t, uint32_t);
    case I64: for (size_t i = 0; i < n; i++) {
        int64_t a = ((const int64_t*)from[0])[i];
        for (int r = 1; r < ranks; r++) { int64_t b = ((const int64_t*)from[r])[i]; a = op == PROD ? (int64_t)((uint64_t)a * (uint64_t)b) : op == MAX ? (b > a ? b : a) : op == MIN ? (b < a ? b : a) : (int64_t)((uint64_t)a + (uint64_t)b); }
        ((int64_t*)to)[i] = op == AVG ? a / ranks : a; } break;
    case U64: REDUCE(uint64_t, uint64_t);
    case F32: REDUCE(float, float);
    case F64: REDUCE(double, double);
    default: for (size_t i = 0; i < n; i++) {
        int wide = SIZE[type] == 2;
        float a = 0;
        for (int r = 0; r < ranks; r++) {
            float b = widen(type, wide ? ((const uint16_t*)from[r])[i] : ((const uint8_t*)from[r])[i]);
            a = r == 0 ? b : op == PROD ? a * b : op == MAX ? (b > a || b != b ? b : a) : op == MIN ? (b < a || b != b ? b : a) : a + b;
        }
        int bits = narrow(type, op == AVG ? a / ranks : a);
        if (wide) ((uint16_t*)to)[i] = bits; else ((uint8_t*)to)[i] = bits; }
    }
}

/* ---- NCCL: communicators ---- */

enum { RANKS = 64, SIGNALS = 4 };
typedef struct Meeting { long seq; int arrived, left, wrote; const void* args[RANKS]; struct Meeting* next; } Meeting;
typedef struct Message { int from, to, consumed; size_t bytes; char* data; struct Message* next; } Message;
/* What the ranks of a communicator share. */
typedef struct Clique {
    char key[256]; int size, joined, connecting, destroying; Meeting* meetings; Message* messages; struct Clique* next;
    struct Comm* members[RANKS]; short signals[16][16][SIGNALS][SIGNALS]; /* from, to, signal, context */
} Clique;
typedef struct Comm {
    Clique* clique; int rank, size, device, blocking, state, abort, running, children, revoked, connected;
    long seq; int customs; struct { char immediate[8]; const char* at; } factors[16]; void** cell; char want[256];
    int windowCount; struct Window* windows;
} Comm;
/* A rank's part: those of one window have the same number on all ranks. */
/* First what kernels read of it, then what is ours. */
typedef struct Window {
    void* host; char* flat; int lsaRank, worldRank; uint32_t stride4G, more[3];
    Comm* comm; char* at; size_t bytes; int number; struct Window* next;
} Window;
static Clique* cliques;

/* Stricter than NCCL, which reads what it has freed. A communicator that has ended is never freed here. */
static void used(const Comm* comm, const char* by) {
    if (comm && comm->rank < 0) {
        fprintf(stderr, "%s of a communicator that has ended\n", by);
        abort();
    }
}
#define USED(comm) used(comm, __func__)

static Clique* join(Comm* comm, const char* key) {
    Clique* k;
    for (k = cliques; k && strcmp(k->key, key); k = k->next);
    if (!k) {
        k = calloc(1, sizeof *k);
        strcpy(k->key, key);
        k->size = comm->size;
        k->next = cliques;
        cliques = k;
    }
    comm->clique = k;
    k->members[comm->rank] = comm;
    k->joined++;
    changed();
#ifdef ALONE /* the others are other processes, which this library does not know */
    fprintf(stderr, "ncclCommInitRank %d of %d, %s\n", comm->rank, comm->size, key);
#else
    while (k->joined < k->size && !comm->abort) await();
#endif
    return k;
}
static int enter(void* arg) {
    Comm* comm = arg;
    lock();
    join(comm, comm->want);
    *comm->cell = comm;
    comm->state = comm->abort ? INTERNAL : SUCCESS;
    changed();
    unlock();
    return 0;
}
static void* enterThread(void* arg) { enter(arg); return 0; }
static Comm* newComm(int rank, int size, int blocking, void** cell, const char* key) {
    Comm* comm = calloc(1, sizeof *comm);
    *comm = (Comm){.rank = rank, .size = size, .device = current, .blocking = blocking, .cell = cell, .state = IN_PROGRESS};
    strcpy(comm->want, key);
    lock();
    liveComms++;
    unlock();
    return comm;
}
static int start(Comm* comm, int early) {
    if (comm->blocking) return enter(comm);
    if (early) *comm->cell = comm;
    pthread_t thread;
    pthread_create(&thread, 0, enterThread, comm);
    pthread_detach(thread);
    return IN_PROGRESS;
}
static int blockingOf(const int* config, int otherwise) {
    if (config) {
        lock();
        configBytes = *(const size_t*)config;
        memcpy(lastConfig, config, configBytes < 256 ? configBytes : 256);
        unlock();
    }
    return config && config[4] != INT_MIN ? config[4] : otherwise;
}

int ncclGetVersion(int* v) { *v = version; return 0; }
const char* ncclGetErrorString(int status) { return status == REMOTE_ERROR ? "remote process exited or there was a network error" : "simulated error"; }
const char* ncclGetLastError(Comm* comm) { return lastError; }
int ncclGetUniqueId(char* id) {
    static long count;
    CALL();
    memset(id, 0, 128);
    lock();
#ifdef ALONE
    sprintf(id, "id %ld of process %d", ++count, (int)getpid());
#else
    sprintf(id, "id %ld", ++count);
#endif
    unlock();
    return 0;
}
static __thread int depth;
/* What waits for other ranks begins when the group ends. */
typedef struct { int (*run)(Comm*, int, int, void**, const int*); Comm* comm; int a, b; void** cell; const int* config; } Later;
static __thread Later grouped[RANKS];
static __thread int groupedCount;
static void* runLater(void* arg) {
    Later* l = arg;
    l->run(l->comm, l->a, l->b, l->cell, l->config);
    return 0;
}
static int enterLater(Comm* comm, int a, int b, void** cell, const int* config) { return enter(comm); }
static int lastIds;
int ncclCommInitRankScalable(void** cell, int size, int rank, int ids, const char* id, const int* config) {
    CALL();
    lastIds = ids;
    if (depth) {
        grouped[groupedCount++] = (Later){enterLater, newComm(rank, size, blockingOf(config, 1), cell, id)};
        return 0;
    }
    return start(newComm(rank, size, blockingOf(config, 1), cell, id), 1);
}
int ncclCommInitAll(void** cells, int n, const int* list) {
    CALL();
    static long count;
    char key[64];
    lock();
    sprintf(key, "all %ld", ++count);
    unlock();
    Clique* k = calloc(1, sizeof *k);
    strcpy(k->key, key);
    k->size = k->joined = n;
    for (int i = 0; i < n; i++) {
        Comm* comm = newComm(i, n, 1, cells + i, key);
        comm->device = list[i];
        comm->clique = k;
        k->members[i] = comm;
        comm->state = SUCCESS;
        cells[i] = comm;
    }
    return 0;
}
int ncclCommCount(Comm* comm, int* n) { USED(comm); *n = comm->size; return 0; }
int ncclCommUserRank(Comm* comm, int* n) { USED(comm); *n = comm->rank; return 0; }
int ncclCommCuDevice(Comm* comm, int* n) { USED(comm); *n = comm->device; return 0; }
int ncclCommGetAsyncError(Comm* comm, int* status) {
    USED(comm);
    lock();
    *status = asyncError ? asyncError : comm->state;
    unlock();
    return 0;
}
static int drop(Comm* comm, int abort) {
    lock();
    if (abort) comm->abort = 1;
    changed();
    while (comm->running || comm->state == IN_PROGRESS) await();
    if (destroyWaits && !abort && comm->clique) {
        comm->clique->destroying++;
        while (comm->clique->destroying < comm->clique->size) await();
    }
    liveComms--;
    unlock();
    comm->rank = comm->size = -1; /* never freed: what uses it after this is found by its rank */
    return 0;
}
int ncclCommDestroy(Comm* comm) { CALL(); USED(comm); return drop(comm, 0); }
int ncclCommAbort(Comm* comm) { CALL(); USED(comm); return drop(comm, 1); }
int ncclCommFinalize(Comm* comm) { CALL(); USED(comm); return 0; }
int ncclCommRevoke(Comm* comm, int flags) {
    CALL();
    USED(comm);
    lock();
    comm->abort = comm->revoked = 1;
    changed();
    while (comm->running) await();
    comm->abort = 0;
    unlock();
    return 0;
}
int ncclCommSuspend(Comm* comm, int flags) { CALL(); USED(comm); return 0; }
int ncclCommResume(Comm* comm) { CALL(); USED(comm); return 0; }
int ncclCommMemStats(Comm* comm, int which, uint64_t* value) { CALL(); USED(comm); *value = which == 1 ? 0 : 1000 * (which + 1); return 0; }

static Meeting* meet(Comm* comm, long seq, const void* arg) {
    Clique* k = comm->clique;
    Meeting* m;
    for (m = k->meetings; m && m->seq != seq; m = m->next);
    if (!m) {
        m = calloc(1, sizeof *m);
        m->seq = seq;
        m->next = k->meetings;
        k->meetings = m;
    }
    m->args[comm->rank] = arg;
    m->arrived++;
    changed();
    while (m->arrived < comm->size && !comm->abort) await();
    return m;
}
static void leave(Comm* comm, Meeting* m) {
    if (++m->left == comm->size) {
        for (Meeting** each = &comm->clique->meetings; *each; each = &(*each)->next) {
            if (*each == m) {
                *each = m->next;
                free(m);
                return;
            }
        }
    }
}
static void childKey(Comm* comm, char* key, const char* how, int n) {
    snprintf(key, 256, "%.180s/%d %s %d", comm->clique->key, comm->children, how, n);
}
static int split(Comm* comm, int color, int key, void** cell, const int* config) {
    int mine[2] = {color, key}, rank = 0, size = 0;
    lock();
    Meeting* m = meet(comm, LONG_MIN + ++comm->children, mine);
    if (comm->abort) { unlock(); return INTERNAL; }
    for (int r = 0; r < comm->size; r++) {
        const int* other = m->args[r];
        if (other[0] != color) continue;
        size++;
        rank += other[1] < key || (other[1] == key && r < comm->rank);
    }
    /* Nobody's arguments may go before all have read them. */
    m->wrote++;
    changed();
    while (m->wrote < comm->size && !comm->abort) await();
    leave(comm, m);
    char name[256];
    childKey(comm, name, "color", color);
    unlock();
    if (color < 0) return 0;
    current = comm->device;
    return start(newComm(rank, size, blockingOf(config, comm->blocking), cell, name), 1);
}
int ncclCommSplit(Comm* comm, int color, int key, void** cell, const int* config) {
    CALL();
    USED(comm);
    *cell = 0;
    if (depth) {
        grouped[groupedCount++] = (Later){split, comm, color, key, cell, config};
        return 0;
    }
    return split(comm, color, key, cell, config);
}
int ncclCommShrink(Comm* comm, int* excluded, int n, void** cell, const int* config, int flags) {
    CALL();
    USED(comm);
    lock();
    if (flags & 1) {
        comm->abort = 1;
        changed();
        while (comm->running) await();
        comm->abort = 0;
    }
    comm->children++;
    int rank = comm->rank;
    for (int i = 0; i < n; i++) rank -= excluded[i] < comm->rank;
    char name[256];
    childKey(comm, name, "without", excluded[0]);
    unlock();
    current = comm->device;
    return start(newComm(rank, comm->size - n, blockingOf(config, comm->blocking), cell, name), 1);
}
/* Only the rank that made the id has it; those that were there before find the new ones by what they have in common. */
static void grownKey(Comm* comm, char* key, int n) { sprintf(key, "grown %p %d", (void*)comm->clique, n); }
int ncclCommGetUniqueId(Comm* comm, char* id) {
    CALL();
    USED(comm);
    memset(id, 0, 128);
    grownKey(comm, id, comm->children + 1);
    return 0;
}
int ncclCommGrow(Comm* comm, int size, const char* id, int rank, void** cell, const int* config) {
    CALL();
    USED(comm);
    *cell = 0;
    if (!comm) {
        if (rank < 0 || rank >= size || !id) return INVALID_ARGUMENT;
        return start(newComm(rank, size, blockingOf(config, 1), cell, id), 1);
    }
    char key[128];
    grownKey(comm, key, ++comm->children);
    if (size <= comm->size || rank != -1 || (id && strcmp(id, key))) return INVALID_ARGUMENT;
    current = comm->device;
    return start(newComm(comm->rank, size, blockingOf(config, comm->blocking), cell, key), 1);
}

/* ---- NCCL: operations ---- */

enum { ALL_REDUCE, REDUCE_TO, BROADCAST, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER, SEND, RECV, PUT, RAISE, WAIT };
typedef struct Op { Comm* comm; void* stream; int kind, type, op, root; const char* send; char* recv; size_t count; long seq; struct Op* next;
    Window* window; size_t offset; int signal, context, times; } Op;
static __thread Op *firstOp, *lastOp;
static __thread int simulated;

static void collective(Op* o) {
    Comm* comm = o->comm;
    int n = comm->size, me = comm->rank;
    size_t bytes = o->count * SIZE[o->type];
    lock();
    Meeting* m = meet(comm, o->seq, o);
    if (comm->abort) { unlock(); return; }
    const char* from[RANKS];
    for (int r = 0; r < n; r++) from[r] = ((const Op*)m->args[r])->send;
    unlock();
    int op = o->op;
    size_t all = o->kind == ALL_GATHER || o->kind == ALL_TO_ALL || (o->kind == GATHER && o->root == me) ? n * bytes : bytes;
    int receives = (o->kind != REDUCE_TO && o->kind != GATHER) || o->root == me;
    char* result = malloc(all + 1);
    if (receives) {
        char* scaled[RANKS] = {0};
        if (op > AVG) {
            for (int r = 0; r < n; r++) {
                const Op* other = m->args[r];
                size_t count = o->kind == REDUCE_SCATTER ? n * o->count : o->count;
                scaled[r] = malloc(count * SIZE[o->type]);
                for (size_t i = 0; i < count * SIZE[o->type]; i += SIZE[o->type]) {
                    const char* pair[] = {from[r] + i, other->comm->factors[other->op - AVG - 1].at};
                    combine(o->type, PROD, pair, 2, scaled[r] + i, 1);
                }
                from[r] = scaled[r];
            }
            op = SUM;
        }
        switch (o->kind) {
        case ALL_REDUCE: case REDUCE_TO: combine(o->type, op, from, n, result, o->count); break;
        case BROADCAST: memcpy(result, from[o->root], bytes); break;
        case SCATTER: memcpy(result, from[o->root] + me * bytes, bytes); break;
        case ALL_GATHER: case GATHER: for (int r = 0; r < n; r++) memcpy(result + r * bytes, from[r], bytes); break;
        case ALL_TO_ALL: for (int r = 0; r < n; r++) memcpy(result + r * bytes, from[r] + me * bytes, bytes); break;
        case REDUCE_SCATTER:
            for (int r = 0; r < n; r++) from[r] += me * bytes;
            combine(o->type, op, from, n, result, o->count);
        }
        for (int r = 0; r < n; r++) free(scaled[r]);
    }
    /* In place: nobody writes before all have read. */
    lock();
    m->wrote++;
    changed();
    while (m->wrote < n && !comm->abort) await();
    int good = m->wrote >= n;
    leave(comm, m);
    unlock();
    if (receives && good) memcpy(o->recv, result, all);
    free(result);
}
static void messages(Op* first) {
    Comm* comm = first->comm;
    Clique* k = comm->clique;
    Message* sent[256];
    int n = 0;
    lock();
    for (Op* o = first; o; o = o->next) {
        if (o->kind != SEND) continue;
        Message* message = malloc(sizeof *message);
        size_t bytes = o->count * SIZE[o->type];
        *message = (Message){comm->rank, o->root, 0, bytes, memcpy(malloc(bytes + 1), o->send, bytes), 0};
        Message** end = &k->messages;
        while (*end) end = &(*end)->next;
        *end = message;
        if (n < 256) sent[n++] = message;
    }
    changed();
    for (Op* o = first; o; o = o->next) {
        if (o->kind != RECV) continue;
        while (!comm->abort) {
            Message** m = &k->messages;
            while (*m && !((*m)->from == o->root && (*m)->to == comm->rank)) m = &(*m)->next;
            if (*m) {
                Message* message = *m;
                *m = message->next;
                memcpy(o->recv, message->data, message->bytes);
                free(message->data);
                message->consumed = 1;
                changed();
                break;
            }
            await();
        }
    }
    for (int i = 0; i < n; i++) {
        while (!sent[i]->consumed && !comm->abort) await();
        if (sent[i]->consumed) free(sent[i]);
    }
    unlock();
}
static void oneSided(Op* o) {
    Comm* comm = o->comm;
    Clique* k = comm->clique;
    lock();
    if (o->kind == WAIT) {
        short* raised = &k->signals[o->root][comm->rank][o->signal][o->context];
        while (*raised < o->times && !comm->abort) await();
        if (*raised >= o->times) *raised -= o->times;
    } else {
        if (o->kind == PUT) {
            /* Registering is collective in NCCL: nobody can put before all have done so. */
            while (k->members[o->root]->windowCount <= o->window->number && !comm->abort) await();
            for (Window* w = k->members[o->root]->windows; w; w = w->next) {
                if (w->number == o->window->number) memcpy(w->at + o->offset, o->send, o->count * SIZE[o->type]);
            }
        }
        k->signals[comm->rank][o->root][o->signal][o->context]++;
        changed();
    }
    unlock();
}
/* All operations of a group on one communicator and stream. */
static int execute(void* arg) {
    Op *first = arg, *each, *next, *mail = 0, *lastMail = 0;
    Comm* comm = first->comm;
    for (each = first; each; each = next) {
        next = each->next;
        if (each->kind == SEND || each->kind == RECV) {
            each->next = 0;
            if (mail) lastMail->next = each; else mail = each;
            lastMail = each;
        } else {
            if (each->kind > RECV) oneSided(each); else collective(each);
            free(each);
        }
    }
    if (mail) messages(mail);
    for (; mail; mail = next) {
        next = mail->next;
        free(mail);
    }
    lock();
    comm->running--;
    changed();
    unlock();
    return 0;
}
/* The same, as often as a graph is launched: each copy but the last has a next one. */
static int executeRecorded(void* arg) {
    const Op* copy = arg;
    Comm* comm = copy->comm;
    Op *first = 0, **end = &first;
    lock();
    comm->running++;
    for (int more = 1; more; copy++) {
        Op* o = malloc(sizeof *o);
        *o = *copy;
        o->next = 0;
        if (o->kind < SEND) o->seq = ++comm->seq;
        *end = o;
        end = &o->next;
        more = copy->next != 0;
    }
    unlock();
    return execute(first);
}
/* Only what a single rank does: the order of several ranks' operations is that of their calls, which a launch is not. */
static int recorded(Op* first) {
    if (!isRecorded(first->stream) || first->comm->size > 1) return 0;
    size_t count = 0;
    for (Op* o = first; o; o = o->next) count++;
    Op* copies = malloc(count * sizeof *copies);
    Op* copy = copies;
    void* stream = first->stream;
    for (Op *o = first, *next; o; o = next) {
        next = o->next;
        *copy++ = *o;
        free(o);
    }
    putWith(stream, executeRecorded, copies, count * sizeof *copies);
    free(copies);
    return 1;
}
int ncclGroupStart(void) { CALL(); depth++; return 0; }
/* Ranks connect in their first collective: for those that do not block it is under way until all have come. */
typedef struct Connecting { Comm* comm; void* stream; Op* ops; } Connecting;
static void* connectThread(void* arg) {
    Connecting* c = arg;
    Comm* comm = c->comm;
    lock();
    comm->clique->connecting++;
    changed();
    while (comm->clique->connecting < comm->size && !comm->abort) await();
    unlock();
    put(c->stream, execute, c->ops);
    lock();
    comm->state = comm->abort ? INTERNAL : SUCCESS;
    changed();
    unlock();
    free(c);
    return 0;
}
static int end(void) {
    Op *rest = firstOp, *o;
    int result = 0;
    firstOp = lastOp = 0;
    while (rest) {
        Op *mine = 0, *lastMine = 0, *others = 0, *lastOthers = 0, *next;
        Comm* comm = rest->comm;
        void* stream = rest->stream;
        for (o = rest; o; o = next) {
            next = o->next;
            o->next = 0;
            Op **first = o->comm == comm && o->stream == stream ? &mine : &others;
            Op **last = o->comm == comm && o->stream == stream ? &lastMine : &lastOthers;
            if (*first) (*last)->next = o; else *first = o;
            *last = o;
        }
        rest = others;
        if (recorded(mine)) continue;
        lock();
        comm->running++;
        for (o = mine; o; o = o->next) if (o->kind < SEND) o->seq = ++comm->seq;
        int connects = !comm->blocking && !comm->connected && mine->kind < SEND;
        if (connects) {
            comm->connected = 1;
            comm->state = result = IN_PROGRESS;
        }
        unlock();
        if (connects) {
            Connecting* c = malloc(sizeof *c);
            *c = (Connecting){comm, stream, mine};
            pthread_t thread;
            pthread_create(&thread, 0, connectThread, c);
            pthread_detach(thread);
        } else {
            put(stream, execute, mine);
        }
    }
    return result;
}
int ncclGroupEnd(void) {
    int failed = called(__func__);
    if (noop) { depth--; return 0; }
    if (--depth > 0) return failed;
    pthread_t starters[RANKS];
    int count = groupedCount;
    groupedCount = 0;
    for (int i = 0; i < count; i++) pthread_create(starters + i, 0, runLater, grouped + i);
    for (int i = 0; i < count; i++) pthread_join(starters[i], 0);
    if (failed || simulated) {
        for (Op* next; firstOp; firstOp = next) { next = firstOp->next; free(firstOp); }
        lastOp = 0;
        simulated = 0;
        return failed;
    }
    return end();
}
int ncclGroupSimulateEnd(char* info) { *(float*)(info + 16) = 12.5f; simulated = 1; return ncclGroupEnd(); }
static int append(Op op) {
    USED(op.comm);
    if (op.comm->revoked || op.comm->state == IN_PROGRESS) return INVALID_ARGUMENT;
    Op* o = malloc(sizeof *o);
    *o = op;
    if (firstOp) lastOp->next = o; else firstOp = o;
    lastOp = o;
    return depth ? 0 : end();
}
static size_t lastCount;
static int lastReduction;
static int submit(Comm* comm, void* stream, int kind, int type, int op, int root, const void* send, void* recv, size_t count) {
    lastCount = count;
    lastReduction = op;
    if (noop) return 0;
    return append((Op){.comm = comm, .stream = stream, .kind = kind, .type = type, .op = op, .root = root, .send = send, .recv = recv, .count = count});
}
#define P Comm* comm, void* stream
int ncclAllReduce(const void* send, void* recv, size_t n, int type, int op, P) { CALL(); return submit(comm, stream, ALL_REDUCE, type, op, 0, send, recv, n); }
int ncclReduce(const void* send, void* recv, size_t n, int type, int op, int root, P) { CALL(); return submit(comm, stream, REDUCE_TO, type, op, root, send, recv, n); }
int ncclBroadcast(const void* send, void* recv, size_t n, int type, int root, P) { CALL(); return submit(comm, stream, BROADCAST, type, 0, root, send, recv, n); }
int ncclAllGather(const void* send, void* recv, size_t n, int type, P) { CALL(); return submit(comm, stream, ALL_GATHER, type, 0, 0, send, recv, n); }
int ncclReduceScatter(const void* send, void* recv, size_t n, int type, int op, P) { CALL(); return submit(comm, stream, REDUCE_SCATTER, type, op, 0, send, recv, n); }
#ifndef WITHOUT_NEW_COLLECTIVES
int ncclAlltoAll(const void* send, void* recv, size_t n, int type, P) { CALL(); return submit(comm, stream, ALL_TO_ALL, type, 0, 0, send, recv, n); }
int ncclGather(const void* send, void* recv, size_t n, int type, int root, P) { CALL(); return submit(comm, stream, GATHER, type, 0, root, send, recv, n); }
int ncclScatter(const void* send, void* recv, size_t n, int type, int root, P) { CALL(); return submit(comm, stream, SCATTER, type, 0, root, send, recv, n); }
#endif
int ncclSend(const void* send, size_t n, int type, int peer, P) { CALL(); return submit(comm, stream, SEND, type, 0, peer, send, 0, n); }
int ncclRecv(void* recv, size_t n, int type, int peer, P) { CALL(); return submit(comm, stream, RECV, type, 0, peer, 0, recv, n); }

/* ---- NCCL: memory ---- */

int ncclMemAlloc(void** at, size_t bytes) { CALL(); return newBlock(at, bytes, 4096) ? CUDA_ERROR : 0; }
int ncclMemFree(void* at) { CALL(); return dropBlock(at) ? INVALID_ARGUMENT : 0; }
int ncclCommRegister(Comm* comm, void* at, size_t bytes, void** handle) { CALL(); USED(comm); *handle = at; return 0; }
int ncclCommDeregister(Comm* comm, void* handle) { CALL(); USED(comm); return comm->rank < 0 ? INVALID_ARGUMENT : 0; }
int ncclCommWindowRegister(Comm* comm, void* at, size_t bytes, void** window, int flags) {
    CALL();
    USED(comm);
    *window = 0;
    if (noWindows) return 0;
    void* made;
    if (newBlock(&made, sizeof(Window), 256)) return CUDA_ERROR;
    Window* w = made;
    lock();
    /* Not memory that a test has to free. */
    liveBytes -= sizeof *w;
    /* One rank for each 4 GiB; what is there of other ranks is not theirs. */
    *w = (Window){.flat = (char*)at - ((size_t)comm->rank << 32), .lsaRank = comm->rank, .worldRank = comm->rank, .stride4G = 1,
                  .comm = comm, .at = at, .bytes = bytes, .number = comm->windowCount++, .next = comm->windows};
    comm->windows = w;
    changed();
    unlock();
    *window = w;
    return 0;
}
int ncclCommWindowDeregister(Comm* comm, Window* window) {
    CALL();
    USED(comm);
    if (comm->rank < 0) return INVALID_ARGUMENT;
    lock();
    for (Window** w = &comm->windows; *w; w = &(*w)->next) {
        if (*w == window) {
            *w = window->next;
            liveBytes += sizeof *window;
            unlock();
            return dropBlock(window) ? INTERNAL : 0;
        }
    }
    unlock();
    return 0;
}
int ncclRedOpCreatePreMulSum(int* op, void* scalar, int type, int residence, Comm* comm) {
    CALL();
    USED(comm);
    char* immediate = comm->factors[comm->customs].immediate;
    if (residence) memcpy(immediate, scalar, SIZE[type]);
    comm->factors[comm->customs].at = residence ? immediate : scalar;
    *op = AVG + 1 + comm->customs++;
    return 0;
}
int ncclRedOpDestroy(int op, Comm* comm) { CALL(); USED(comm); return comm->rank < 0 ? INVALID_ARGUMENT : 0; }

/* ---- NCCL: for kernels ---- */

typedef struct { int size, rank, stride; } Team;
typedef struct Resource {
    struct Resource* next; size_t bytes, alignment; uint32_t* buffer; int signals, counters; uint32_t *signal, *counter;
} Resource;
typedef struct TeamNeed { struct TeamNeed* next; Team team; char multimem; void** out; } TeamNeed;

/* One machine: all ranks reach each other's memory. */
Team ncclTeamWorld(Comm* comm) { USED(comm); return (Team){comm->size, comm->rank, 1}; }
Team ncclTeamLsa(Comm* comm) { return ncclTeamWorld(comm); }
Team ncclTeamRail(Comm* comm) { return (Team){1, 0, comm->size}; }
int ncclTeamRankToWorld(Comm* comm, Team team, int rank) { return comm->rank + (rank - team.rank) * team.stride; }
int ncclTeamRankToLsa(Comm* comm, Team team, int rank) { return ncclTeamRankToWorld(comm, team, rank); }
int ncclLsaBarrierCreateRequirement(Team team, int n, uint32_t* handle, Resource* need) {
    CALL();
    handle[1] = n;
    *need = (Resource){.bytes = (3 + team.size) * n * 4, .alignment = 4, .buffer = handle};
    return 0;
}
int ncclGinBarrierCreateRequirement(Comm* comm, Team team, int n, uint32_t* handle, Resource* need) {
    CALL();
    USED(comm);
    *need = (Resource){.signals = n * team.size, .signal = handle};
    return 0;
}
int ncclLLA2ACalcSlots(int elements, int bytes) { return elements * ((bytes + 7) / 8); }
int ncclLLA2ACreateRequirement(int blocks, int slots, uint32_t* handle, Resource* need) {
    CALL();
    handle[1] = slots;
    *need = (Resource){.bytes = blocks * (1 + 2 * slots) * 16, .alignment = 16, .buffer = handle};
    return 0;
}
static long deviceComms;
int ncclDevCommCreate(Comm* comm, const char* needs, int* out) {
    CALL();
    USED(comm);
    int header = version >= 22900, first = header ? 16 : 0;
    if (header && *(const unsigned*)(needs + 8) != 0xcafebeef) return INVALID_USAGE;
    size_t bytes = 0;
    uint32_t signals = *(const int*)(needs + first + 48), counters = *(const int*)(needs + first + 52);
    for (Resource* r = *(Resource* const*)(needs + first); r; r = r->next) {
        size_t alignment = r->alignment > 128 ? r->alignment : 128;
        bytes = (bytes + alignment - 1) / alignment * alignment;
        if (r->buffer) *r->buffer = bytes / 128;
        if (r->signal) *r->signal = signals;
        if (r->counter) *r->counter = counters;
        bytes += r->bytes;
        signals += r->signals;
        counters += r->counters;
    }
    for (TeamNeed* t = *(TeamNeed* const*)(needs + first + 8); t; t = t->next) {
        if (t->multimem && t->out) *t->out = (void*)(0x7000000000L + t->team.size);
    }
    memset(out, 0, 200);
    int* who = out + (header ? 2 : 0);
    who[0] = comm->rank;
    who[1] = comm->size;
    who[3] = comm->rank;
    who[4] = comm->size;
    /* The window of resources: an address that nobody looks at. */
    *(size_t*)(out + 12) = 0x100000000000;
    out[header ? 14 : 16] = 2;
    int barriers = *(const int*)(needs + (header ? 40 : 24));
    out[header ? 20 : 30] = (bytes + 127) / 128;
    out[header ? 21 : 31] = barriers;
    lock();
    deviceComms++;
    unlock();
    return 0;
}
int ncclDevCommDestroy(Comm* comm, const int* deviceComm) {
    CALL();
    USED(comm);
    lock();
    deviceComms--;
    unlock();
    return comm->rank < 0 ? INVALID_ARGUMENT : 0;
}

#ifdef NEWEST
/* ---- NCCL: since 2.29 ---- */

int ncclCommQueryProperties(Comm* comm, char* p) {
    CALL();
    USED(comm);
    if (*(unsigned*)(p + 8) != 0xcafebeef || *(int*)(p + 12) > version || *(size_t*)p != 152) return INVALID_USAGE;
    memset(p + 16, 0, 136);
    int numbers[] = {comm->rank, comm->size, comm->device, comm->device};
    memcpy(p + 16, numbers, sizeof numbers);
    p[32] = 1;                      /* kernels communicate */
    *(int*)(p + 36) = 3;            /* GDAKI */
    *(int*)(p + 40) = 1;            /* one group of all */
    p[44] = 1;                      /* put and signal */
    *(int*)(p + 48) = 99;           /* something newer */
    *(long*)(p + 56) = 4711;
    *(int*)(p + 64) = 2;
    *(int*)(p + 68) = 1;            /* all ranks */
    p[72 + 2] = p[72 + 3] = p[72 + 60] = 1;
    *(size_t*)(p + 136) = 300;
    p[144] = p[146] = 1;
    return 0;
}
static int peerWindow(Window* window, size_t offset, int peer, void** out) {
    if (peer < 0 || peer >= window->comm->size || offset >= window->bytes) return INVALID_ARGUMENT;
    lock();
    for (Window* w = window->comm->clique->members[peer]->windows; w; w = w->next) if (w->number == window->number) *out = w->at + offset;
    unlock();
    return 0;
}
int ncclWinGetUserPtr(Comm* comm, Window* window, void** out) { CALL(); USED(comm); *out = window->at; return 0; }
int ncclGetLsaDevicePointer(Window* w, size_t offset, int rank, void** out) { CALL(); return peerWindow(w, offset, rank, out); }
int ncclGetPeerDevicePointer(Window* w, size_t offset, int peer, void** out) { CALL(); return peerWindow(w, offset, peer, out); }
int ncclGetLsaMultimemDevicePointer(Window* w, size_t offset, void** out) { CALL(); *out = (void*)(0x6000000000L + offset); return 0; }
typedef struct { char* base; } Multimem;
int ncclGetMultimemDevicePointer(Window* w, size_t offset, Multimem all, void** out) { CALL(); *out = all.base + offset; return 0; }
int ncclGetMultimemDeviceLeInfo(Window* w, size_t offset, uint32_t* id, size_t* at) { CALL(); *id = 1000; *at = offset; return 0; }
int ncclGetPeerDeviceLeInfo(Window* w, size_t offset, int peer, uint32_t* id, size_t* at) { CALL(); *id = 100 + peer; *at = offset; return 0; }
int ncclGetCftDeviceLeInfo(Window* w, size_t offset, int rank, Team team, uint32_t* id, size_t* at) {
    CALL();
    *id = 200 + 10 * team.size + rank;
    *at = offset;
    return 0;
}
Team ncclTeamCft(Comm* comm, int mode) { return mode ? (Team){1, 0, 1} : ncclTeamWorld(comm); }
Team ncclTeamCftMultimem(Comm* comm) { return ncclTeamWorld(comm); }

int ncclPutSignal(const void* from, size_t n, int type, int peer, Window* window, size_t offset, int signal, int context, unsigned flags, P) {
    CALL();
    if (signal >= SIGNALS || context >= SIGNALS || flags) return INVALID_ARGUMENT;
    return append((Op){.comm = comm, .stream = stream, .kind = PUT, .type = type, .root = peer, .send = from, .count = n,
                       .window = window, .offset = offset, .signal = signal, .context = context});
}
int ncclSignal(int peer, int signal, int context, unsigned flags, P) {
    CALL();
    if (signal >= SIGNALS || context >= SIGNALS || flags) return INVALID_ARGUMENT;
    return append((Op){.comm = comm, .stream = stream, .kind = RAISE, .root = peer, .signal = signal, .context = context});
}
int ncclWaitSignal(int n, const int (*each)[4], P) {
    CALL();
    int status = 0;
    for (int i = 0; i < n && !status; i++) {
        if (each[i][2] >= SIGNALS || each[i][3] >= SIGNALS) return INVALID_ARGUMENT;
        status = append((Op){.comm = comm, .stream = stream, .kind = WAIT, .root = each[i][1], .times = each[i][0],
                             .signal = each[i][2], .context = each[i][3]});
    }
    return status;
}

/* What came with the last configured call. */
static struct { long calls, minCTAs, tag, options, vendors, policy, events; } coll;
static int configured(const char* c, void* stream) {
    if (*(const size_t*)c < 64 || *(const unsigned*)(c + 8) != 0xcafebeef) return INVALID_ARGUMENT;
    lock();
    coll.calls++;
    coll.minCTAs = *(const int*)(c + 24);
    coll.policy = *(const int*)(c + 52);
    coll.events += *(const long*)(c + 64) != 0;
    coll.tag = *(const long*)(c + 56);
    coll.options = coll.vendors = 0;
    for (const char* o = *(char* const*)(c + 16); o; o = *(char* const*)o) {
        coll.options++;
        coll.vendors += *(const int*)(o + 8) * *(const int*)(o + 12);
    }
    unlock();
    Event* launched = *(Event* const*)(c + 64);
    return launched ? cuEventRecord(launched, stream) : 0;
}
#define CONFIGURED(CALLED) CALL(); int failed = configured(config, stream); return failed ? failed : CALLED
int ncclAllReduceConfig(const void* s, void* r, size_t n, int type, int op, P, const char* config) { CONFIGURED(submit(comm, stream, ALL_REDUCE, type, op, 0, s, r, n)); }
int ncclReduceConfig(const void* s, void* r, size_t n, int type, int op, int root, P, const char* config) { CONFIGURED(submit(comm, stream, REDUCE_TO, type, op, root, s, r, n)); }
int ncclBroadcastConfig(const void* s, void* r, size_t n, int type, int root, P, const char* config) { CONFIGURED(submit(comm, stream, BROADCAST, type, 0, root, s, r, n)); }
int ncclAllGatherConfig(const void* s, void* r, size_t n, int type, P, const char* config) { CONFIGURED(submit(comm, stream, ALL_GATHER, type, 0, 0, s, r, n)); }
int ncclReduceScatterConfig(const void* s, void* r, size_t n, int type, int op, P, const char* config) { CONFIGURED(submit(comm, stream, REDUCE_SCATTER, type, op, 0, s, r, n)); }
int ncclAlltoAllConfig(const void* s, void* r, size_t n, int type, P, const char* config) { CONFIGURED(submit(comm, stream, ALL_TO_ALL, type, 0, 0, s, r, n)); }
int ncclGatherConfig(const void* s, void* r, size_t n, int type, int root, P, const char* config) { CONFIGURED(submit(comm, stream, GATHER, type, 0, root, s, r, n)); }
int ncclScatterConfig(const void* s, void* r, size_t n, int type, int root, P, const char* config) { CONFIGURED(submit(comm, stream, SCATTER, type, 0, root, s, r, n)); }

static int encryption;
int ncclSetEncryption(const char* c) {
    CALL();
    if (*(const size_t*)c != 32 || *(const unsigned*)(c + 8) != 0xcafebeef) return INVALID_ARGUMENT;
    int mode = *(const int*)(c + 16);
    if (mode && strlen(*(char* const*)(c + 24)) < 32) return INVALID_ARGUMENT;
    encryption = mode;
    return 0;
}

/* One parameter of each type: its number in NCCL is that of the place in the list. */
static struct Parameter { const char *key, *text; long value; int bytes; } parameters[] = {
    {"SIM_I8", "-8", -8, 1}, {"SIM_I16", "-1600", -1600, 2}, {"SIM_I32", "-320000", -320000, 4}, {"SIM_I64", "-64000000000", -64000000000, 8},
    {"SIM_U8", "200", 200, 1}, {"SIM_U16", "60000", 60000, 2}, {"SIM_U32", "4000000000", 4000000000, 4},
    {"SIM_U64", "18446744073709551615", -1, 8}, {"SIM_BOOL", "true", 1, 1}, {"SIM_TEXT", "some text", 0, 10}};
enum { PARAMETERS = sizeof parameters / sizeof *parameters, BOOL_PARAMETER = 8, TEXT_PARAMETER };
static struct Parameter* parameter(const char* key) {
    for (int i = 0; i < PARAMETERS; i++) if (!strcmp(parameters[i].key, key)) return parameters + i;
    return 0;
}
int ncclParamBind(struct Parameter** out, const char* key) { CALL(); *out = parameter(key); return *out ? 0 : INVALID_ARGUMENT; }
int ncclParamGet(struct Parameter* p, void* out, int room, int* length) {
    CALL();
    if (p->bytes > room) return INVALID_ARGUMENT;
    memcpy(out, p - parameters == TEXT_PARAMETER ? (const void*)p->text : &p->value, p->bytes);
    *length = p->bytes;
    return 0;
}
static int typed(struct Parameter* p, int place, void* out) {
    if (p - parameters != place) return INVALID_ARGUMENT;
    memcpy(out, &p->value, p->bytes);
    return 0;
}
int ncclParamGetI8(struct Parameter* p, void* out) { return typed(p, 0, out); }
int ncclParamGetI16(struct Parameter* p, void* out) { return typed(p, 1, out); }
int ncclParamGetI32(struct Parameter* p, void* out) { return typed(p, 2, out); }
int ncclParamGetI64(struct Parameter* p, void* out) { return typed(p, 3, out); }
int ncclParamGetU8(struct Parameter* p, void* out) { return typed(p, 4, out); }
int ncclParamGetU16(struct Parameter* p, void* out) { return typed(p, 5, out); }
int ncclParamGetU32(struct Parameter* p, void* out) { return typed(p, 6, out); }
int ncclParamGetU64(struct Parameter* p, void* out) { return typed(p, 7, out); }
int ncclParamGetStr(struct Parameter* p, const char** out) {
    if (p - parameters != TEXT_PARAMETER) return INVALID_ARGUMENT;
    *out = p->text;
    return 0;
}
int ncclParamGetParameter(const char* key, const char** text, int* length) {
    struct Parameter* p = parameter(key);
    if (!p) return INVALID_ARGUMENT;
    *text = p->text;
    *length = strlen(p->text);
    return 0;
}
int ncclParamGetAllParameterKeys(const char*** keys, int* n) {
    static const char* all[PARAMETERS];
    for (int i = 0; i < PARAMETERS; i++) all[i] = parameters[i].key;
    *keys = all;
    *n = PARAMETERS;
    return 0;
}
static int dumps;
void ncclParamDumpAll(void) { dumps++; }
#endif

/* ---- control ---- */

void sim_set(const char* what, long value) {
    if (!strcmp(what, "asyncError")) asyncError = value;
    else if (!strcmp(what, "destroyWaits")) destroyWaits = value;
    else if (!strcmp(what, "noWindows")) noWindows = value;
    else if (!strcmp(what, "version")) version = value;
    else if (!setDriver(what, value)) abort();
}
long sim_get(const char* what) {
    long value;
    if (getDriver(what, &value)) return value;
    if (!strcmp(what, "comms")) return liveComms;
    if (!strcmp(what, "configBytes")) return configBytes;
    if (!strcmp(what, "lastCount")) return lastCount;
    if (!strcmp(what, "lastReduction")) return lastReduction;
    if (!strcmp(what, "lastIds")) return lastIds;
    if (!strcmp(what, "deviceComms")) return deviceComms;
#ifdef NEWEST
    if (!strcmp(what, "collCalls")) return coll.calls;
    if (!strcmp(what, "collMinCTAs")) return coll.minCTAs;
    if (!strcmp(what, "collTag")) return coll.tag;
    if (!strcmp(what, "collOptions")) return coll.options;
    if (!strcmp(what, "collVendors")) return coll.vendors;
    if (!strcmp(what, "collPolicy")) return coll.policy;
    if (!strcmp(what, "collEvents")) return coll.events;
    if (!strcmp(what, "encryption")) return encryption;
    if (!strcmp(what, "dumps")) return dumps;
#endif
    abort();
}
void sim_last_error(const char* text) { strncpy(lastError, text, sizeof lastError - 1); }
