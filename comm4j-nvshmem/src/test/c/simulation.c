// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/*
 * An NVSHMEM in host memory, over the driver in host memory: for tests on machines without a GPU. PEs are processes of one machine; their
 * symmetric heaps are one nameless file that each of them maps, so that puts, signals and collectives really happen.
 *
 * It is like the real one where a program can get hurt: a call before initialisation ends the process with code 255, what is collective
 * waits for ever for a PE that does not come, "nbi" operations are late. It is stricter where the real one would do anything at all: a PE
 * that does not exist, memory that is not symmetric or was freed, different sizes on different PEs end the process, and say why.
 *
 * It is NVSHMEM 3.4.5, or with -DNEWEST 3.8.0.
 */

#include "../../../../comm4j-cuda/src/test/c/simulated-driver.h"
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef NEWEST
enum { MINOR = 8, PATCH = 0, MAX_TEAMS = 256, FIRST_TEAM = 7 };
#else
enum { MINOR = 4, PATCH = 5, MAX_TEAMS = 32, FIRST_TEAM = 6 };
#endif
enum { WORLD, SHARED, NODE, SAME_MYPE_NODE, SAME_GPU, GPU_LEADERS, MC_SHARED };
enum { OK, INVALID_VALUE, OUT_OF_MEMORY, NOT_SUPPORTED, SYMMETRY, GPU_NOT_SELECTED, LAUNCH_FAILED, INTERNAL };
enum { NOT_INITIALIZED, BOOTSTRAPPED, INITIALIZED };

/* ---- what the PEs share ---- */

enum { PES = 16, SLOTS = 512, ARGUMENTS = 4 };
/* Where the members of a team meet: how often each has arrived, and with which arguments. */
typedef struct { uint64_t arrived[PES], arguments[PES][ARGUMENTS]; } Place;
/* A team. Host threads that manage memory and teams, or connect, meet elsewhere than what is in streams. */
enum { HOSTS, STREAMS, CONNECTIONS, PLACES };
typedef struct { int used, registered, left, members[PES]; uint64_t id; Place places[PLACES]; } Slot;
typedef struct {
    int joined[PES], device[PES];
    size_t heapBytes;
    uint64_t ids;
    Slot slots[SLOTS];
} Control;
/* Heaps begin at multiples of that, behind the control block. */
enum { GRANULARITY = 2 << 20 };
_Static_assert(sizeof(Control) <= GRANULARITY, "size");

/* ---- what a PE has ---- */

typedef struct { Slot* slot; int rank, size, members[PES], contexts; uint64_t epochs[PLACES]; unsigned connected; } Team;
typedef struct { size_t at, bytes; } Piece;
static int status, myPe, nPes, file = -1, invited = -1;
static Control* control;
static char *reserved, *all, *heap;
static size_t heapBytes, allBytes;
static Team teams[MAX_TEAMS];
static Piece* pieces;
static int pieceCount, pieceRoom;
static Stream* proxy;
static long nbiDelay = 20, swallowed, modules, libraries, registered;

static void die(const char* who, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "simulated NVSHMEM, PE %d: %s: ", myPe, who);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    _exit(255);
}
static void need(const char* who) {
    if (status < INITIALIZED) die(who, "NVSHMEM API called before NVSHMEM initialization has completed");
}
#define CALLED(RESULT) do { if (noop) return RESULT; called(__func__); need(__func__); } while (0)
#define CALLED_INT() do { if (noop) return 0; int failed_ = called(__func__); need(__func__); if (failed_) return failed_; } while (0)

/* Others run on the same processors: spins a little only. */
static void rest(int* times) {
    if (++*times < 20) sched_yield();
    else usleep(*times < 1000 ? 20 : 500);
}
#define LOAD(PLACE) __atomic_load_n(&(PLACE), __ATOMIC_ACQUIRE)
#define STORE(PLACE, VALUE) __atomic_store_n(&(PLACE), VALUE, __ATOMIC_RELEASE)

static void drainProxy(void) { cuStreamSynchronize(proxy); }

/* All members are here, and what they had written before can be seen. */
static void meet(Team* team, int where) {
    if (team->size < 2) return;
    uint64_t *arrived = team->slot->places[where].arrived, epoch = ++team->epochs[where];
    STORE(arrived[team->rank], epoch);
    for (int i = 0, times = 0; i < team->size; i++) while (LOAD(arrived[i]) < epoch) rest(&times);
}
/* The same, and all members came with the same arguments. */
static void agree(const char* who, Team* team, int where, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    if (team->size < 2) return;
    uint64_t mine[ARGUMENTS] = {a, b, c, d}, (*of)[ARGUMENTS] = team->slot->places[where].arguments;
    memcpy(of[team->rank], mine, sizeof mine);
    meet(team, where);
    for (int i = 0; i < team->size; i++) {
        if (memcmp(of[i], mine, sizeof mine)) {
            die(who, "member %d of %d of the team came with %lu %lu %lu %lu, this one (%d) with %lu %lu %lu %lu", i, team->size,
                of[i][0], of[i][1], of[i][2], of[i][3], team->rank, a, b, c, d);
        }
    }
    meet(team, where);
}

static Team* teamOf(const char* who, int handle) {
    if (handle < 0 || handle >= MAX_TEAMS || !teams[handle].size) die(who, "there is no team %d", handle);
    return teams + handle;
}

/* ---- memory ---- */

static Piece* pieceAt(size_t offset) {
    for (int i = 0; i < pieceCount; i++) if (offset >= pieces[i].at && offset < pieces[i].at + pieces[i].bytes) return pieces + i;
    return 0;
}
static char* heapOf(int pe) { return all + GRANULARITY + pe * heapBytes; }
/* The same place in the heap of another PE; the process ends if there is none. */
static char* onPe(const char* who, const void* local, size_t bytes, int pe) {
    if (pe < 0 || pe >= nPes) die(who, "PE %d is not in 0..%d", pe, nPes - 1);
    size_t offset = (const char*)local - heap;
    if (!bytes) return heapOf(pe) + offset;
    Piece* piece = (const char*)local < heap || offset >= heapBytes ? 0 : pieceAt(offset);
    if (!piece || offset + bytes > piece->at + piece->bytes) {
        die(who, "%zu bytes at %p are not, or not all, in one allocation of the symmetric heap", bytes, local);
    }
    return heapOf(pe) + offset;
}
static void symmetric(const char* who, const void* local, size_t bytes) { onPe(who, local, bytes, myPe); }

enum { LEAST = 512 };
static char* newPiece(size_t alignment, size_t bytes) {
    if (alignment < LEAST) alignment = LEAST;
    size_t at = 0;
    int i = 0;
    for (; i < pieceCount && at + bytes > pieces[i].at; i++) at = (pieces[i].at + pieces[i].bytes + alignment - 1) / alignment * alignment;
    if (bytes > heapBytes || at > heapBytes - bytes) return 0;
    lock();
    if (pieceCount == pieceRoom) pieces = realloc(pieces, sizeof *pieces * (pieceRoom = 2 * pieceRoom + 16));
    memmove(pieces + i + 1, pieces + i, sizeof *pieces * (pieceCount - i));
    pieces[i] = (Piece){at, bytes};
    pieceCount++;
    unlock();
    return heap + at;
}
static int dropPiece(char* at) {
    lock();
    for (int i = 0; i < pieceCount; i++) {
        if (heap + pieces[i].at == at) {
            memmove(pieces + i, pieces + i + 1, sizeof *pieces * (pieceCount - i - 1));
            pieceCount--;
            unlock();
            return 1;
        }
    }
    unlock();
    return 0;
}
static void* allocate(const char* who, size_t alignment, size_t bytes, int zeroed) {
#ifdef NEWEST
    if (status < INITIALIZED) return 0;
#endif
    if (called(who)) return 0;
    need(who);
    agree(who, teams, HOSTS, 1, alignment, bytes, zeroed);
    char* at = bytes ? newPiece(alignment, bytes) : 0;
    if (at && zeroed) memset(at, 0, bytes);
    /* Garbage, but not so much that a large heap becomes real. */
    else if (at) memset(at, 0xdd, bytes < 1 << 20 ? bytes : 1 << 20);
    meet(teams, HOSTS);
    return at;
}
void* nvshmem_malloc(size_t bytes) { return allocate(__func__, LEAST, bytes, 0); }
void* nvshmem_calloc(size_t n, size_t bytes) { return allocate(__func__, LEAST, n * bytes, 1); }
void* nvshmem_align(size_t alignment, size_t bytes) {
    if (alignment & (alignment - 1) || alignment < sizeof(void*)) return 0;
    return allocate(__func__, alignment, bytes, 0);
}
void nvshmem_free(void* at) {
    CALLED();
    if (!at) return;
    drainProxy();
    agree(__func__, teams, HOSTS, 2, (char*)at - heap, 0, 0);
    if (!dropPiece(at)) die(__func__, "%p was not allocated, or was freed", at);
    meet(teams, HOSTS);
}
void* nvshmem_ptr(const void* local, int pe) {
    CALLED(0);
    size_t offset = (const char*)local - heap;
    return pe < 0 || pe >= nPes || (const char*)local < heap || offset >= heapBytes ? 0 : heapOf(pe) + offset;
}
/* No simulated GPU has multicast. */
void* nvshmemx_mc_ptr(int team, const void* local) { CALLED(0); teamOf(__func__, team); return 0; }

static size_t bytesOf(const char* name, size_t otherwise) {
    const char* text = getenv(name);
    char* unit;
    double bytes = text ? strtod(text, &unit) : otherwise;
    if (text && *unit) bytes *= *unit == 'k' || *unit == 'K' ? 1 << 10 : *unit == 'm' || *unit == 'M' ? 1 << 20 : 1 << 30;
    return bytes;
}

/* Memory of the program becomes symmetric: a piece of the heap is mapped over it. */
static struct { char *at, *buffer; size_t bytes; } mapped[64];
static void* registerSymmetric(const char* who, void* buffer, size_t bytes) {
#ifdef NEWEST
    if (status < INITIALIZED) return 0;
#endif
    if (called(who)) return 0;
    need(who);
    agree(who, teams, HOSTS, 3, bytes, 0, 0);
    /* The real one gives up its heap then. */
    size_t step = bytesOf("NVSHMEM_CUMEM_GRANULARITY", 512 << 20);
    Physical* physical = physicalAt(buffer);
    if (!bytes || bytes % step) die(who, "%zu bytes are no multiple of the heap's granularity %zu", bytes, step);
    if (!physical || physical->handles != 1 || physical->bytes < bytes) die(who, "%p is no memory that could be taken in", buffer);
    char* at = newPiece(4096, bytes);
    for (int i = 0; at && i < 64; i++) {
        if (!mapped[i].at) {
            memcpy(at, buffer, bytes);
            if (mmap(buffer, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, at - all) == MAP_FAILED) die(who, "mmap");
            mapped[i].at = at;
            mapped[i].buffer = buffer;
            mapped[i].bytes = bytes;
            registered++;
            break;
        }
    }
    meet(teams, HOSTS);
    return at;
}
void* nvshmemx_buffer_register_symmetric(void* buffer, size_t bytes, int flags) { return registerSymmetric(__func__, buffer, bytes); }
#ifdef NEWEST
void* nvshmemx_buffer_register_symmetric_at_preferred_address(void* buffer, size_t bytes, void* preferred, int flags) {
    return registerSymmetric(__func__, buffer, bytes);
}
#endif
int nvshmemx_buffer_unregister_symmetric(char* at, size_t bytes) {
    CALLED_INT();
    for (int i = 0; at && i < 64; i++) {
        if (mapped[i].at == at && mapped[i].bytes == bytes) {
            agree(__func__, teams, HOSTS, 4, bytes, 0, 0);
            char* buffer = mapped[i].buffer;
            mmap(buffer, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
            memcpy(buffer, at, bytes);
            mapped[i].at = 0;
            dropPiece(at);
            registered--;
            meet(teams, HOSTS);
            return 0;
        }
    }
    return INVALID_VALUE;
}
static void* locals[64];
int nvshmemx_buffer_register(void* at, size_t bytes) {
    CALLED_INT();
    for (int i = 0; i < 64; i++) {
        if (!locals[i]) {
            locals[i] = at;
            registered++;
            return 0;
        }
    }
    return OUT_OF_MEMORY;
}
int nvshmemx_buffer_unregister(void* at) {
    CALLED_INT();
    for (int i = 0; i < 64; i++) {
        if (at && locals[i] == at) {
            locals[i] = 0;
            registered--;
            return 0;
        }
    }
    return INVALID_VALUE;
}
void nvshmemx_buffer_unregister_all(void) {
    CALLED();
    for (int i = 0; i < 64; i++) if (locals[i]) nvshmemx_buffer_unregister(locals[i]);
}

/* ---- life ---- */

typedef struct { int version; char internal[124]; } UniqueId;
typedef struct {
    int version;
    void* mpi;
    struct { int version; struct { int version; const UniqueId* id; int rank, size; } uid; char content[96]; } args;
} InitAttr;
_Static_assert(sizeof(UniqueId) == 128 && sizeof(InitAttr) == 144, "layouts");

/* The id names a file of this process, which lives on until the others have opened it. */
int nvshmemx_get_uniqueid(UniqueId* id) {
    int failed = called(__func__);
    if (failed) return failed;
    if (invited >= 0) close(invited);
    invited = memfd_create("simulated-nvshmem", MFD_CLOEXEC);
    if (invited < 0 || ftruncate(invited, GRANULARITY)) return INTERNAL;
    memset(id, 0, sizeof *id);
    id->version = (1 << 16) + sizeof *id;
    snprintf(id->internal, sizeof id->internal, "/proc/%d/fd/%d", getpid(), invited);
    return 0;
}
int nvshmemx_set_attr_uniqueid_args(const int rank, const int size, const UniqueId* id, InitAttr* attr) {
    int failed = called(__func__);
    if (failed) return failed;
    attr->args.uid.id = id;
    attr->args.uid.rank = rank;
    attr->args.uid.size = size;
    return 0;
}
int nvshmemx_set_attr_mpi_comm_args(void* comm, InitAttr* attr) { attr->mpi = comm; return called(__func__); }
int nvshmemx_init_status(void) { return status; }

static size_t heapSize(void) { return (bytesOf("NVSHMEM_SYMMETRIC_SIZE", 1 << 30) + GRANULARITY - 1) / GRANULARITY * GRANULARITY; }
static void lend(char* at, size_t bytes, int device) {
    Block* block = malloc(sizeof *block);
    *block = (Block){at, bytes, device, 1, blocks};
    blocks = block;
}
static void makeTeam(int handle, Slot* slot, int size, const int* members) {
    Team* team = teams + handle;
    *team = (Team){.slot = slot, .size = size};
    for (int i = 0; i < size; i++) if ((team->members[i] = members[i]) == myPe) team->rank = i;
}
int nvshmemx_hostlib_init_attr(unsigned flags, InitAttr* attr) {
    int failed = called(__func__);
    if (failed) return failed;
    if (status) return INTERNAL;
    if (flags != 8 || !attr->args.uid.id || attr->args.uid.id->version != 65664) return INVALID_VALUE;
    myPe = attr->args.uid.rank;
    nPes = attr->args.uid.size;
    if (nPes > PES || myPe < 0 || myPe >= nPes) return INVALID_VALUE;
    file = open(attr->args.uid.id->internal, O_RDWR | O_CLOEXEC);
    if (file < 0) return INTERNAL;
    status = BOOTSTRAPPED;
    /* As the real one does it: what fails now is not told. */
    if (swallowed || current < 0) return 0;
#ifdef NEWEST
    const char* affinity = getenv("NVSHMEM_CPU_AFFINITY");
    if (!affinity || strcmp(affinity, "OFF")) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(0, &one);
        sched_setaffinity(0, sizeof one, &one);
    }
#endif
    Control* shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (myPe == 0) {
        shared->heapBytes = heapSize();
        if (ftruncate(file, GRANULARITY + nPes * shared->heapBytes)) die(__func__, "no memory for %zu bytes a PE", shared->heapBytes);
    }
    shared->device[myPe] = current;
    STORE(shared->joined[myPe], 1);
    for (int i = 0, times = 0; i < nPes; i++) while (!LOAD(shared->joined[i])) rest(&times);
    heapBytes = shared->heapBytes;
    allBytes = GRANULARITY + nPes * heapBytes;
    munmap(shared, sizeof *shared);
    reserved = mmap(0, allBytes + GRANULARITY, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    all = (char*)(((size_t)reserved + GRANULARITY - 1) / GRANULARITY * GRANULARITY);
    all = mmap(all, allBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file, 0);
    if (all == MAP_FAILED) die(__func__, "mmap of %zu bytes", allBytes);
    control = (Control*)all;
    heap = heapOf(myPe);
    if (!proxy) proxy = newStream(1);
    lock();
    for (int i = 0; i < nPes; i++) lend(heapOf(i), heapBytes, control->device[i]);
    unlock();
    int everybody[PES], same[PES], mates = 0;
    for (int i = 0; i < nPes; i++) {
        everybody[i] = i;
        if (control->device[i] == current) same[mates++] = i;
    }
    for (int i = WORLD; i <= NODE; i++) makeTeam(i, control->slots + i, nPes, everybody);
    makeTeam(SAME_MYPE_NODE, control->slots, 1, &myPe);
    makeTeam(SAME_GPU, control->slots + SAME_GPU + same[0], mates, same);
    if (same[0] == myPe) {
        int leaders[PES], n = 0;
        for (int i = 0; i < nPes; i++) {
            int first = 0;
            while (control->device[first] != control->device[i]) first++;
            if (first == i) leaders[n++] = i;
        }
        makeTeam(GPU_LEADERS, control->slots + NODE + 1, n, leaders);
    }
    if ((int)FIRST_TEAM > (int)MC_SHARED) makeTeam(MC_SHARED, control->slots + SAME_GPU + PES, nPes, everybody);
    if (myPe == 0) for (int i = 0; i < SAME_GPU + PES + 1; i++) control->slots[i].used = 1;
    status = INITIALIZED;
    meet(teams, HOSTS);
    if (myPe == 0 && invited >= 0) {
        close(invited);
        invited = -1;
    }
    return 0;
}
void nvshmemx_hostlib_finalize(void) {
    CALLED();
    drainProxy();
    agree(__func__, teams, HOSTS, 5, 0, 0, 0);
    lock();
    for (Block** b = &blocks; *b;) {
        Block* block = *b;
        if (block->lent == 1) {
            *b = block->next;
            free(block);
        } else {
            b = &block->next;
        }
    }
    pieceCount = 0;
    unlock();
    for (int i = 0; i < 64; i++) mapped[i].at = locals[i] = 0;
    memset(teams, 0, sizeof teams);
    munmap(reserved, allBytes + GRANULARITY);
    close(file);
    status = NOT_INITIALIZED;
    myPe = nPes = 0;
}
int nvshmemid_hostlib_init_attr(unsigned flags, InitAttr* attr) { return nvshmemx_hostlib_init_attr(flags, attr); }
void nvshmemid_hostlib_finalize(void) { nvshmemx_hostlib_finalize(); }
int nvshmemid_init_status(void) { return status; }

int nvshmem_my_pe(void) { return myPe; }
int nvshmem_n_pes(void) { return nPes; }
void nvshmem_info_get_version(int* major, int* minor) { *major = 1; *minor = 3; }
void nvshmem_info_get_name(char* name) { strcpy(name, "simulated NVSHMEM"); }
void nvshmemx_vendor_get_version_info(int* major, int* minor, int* patch) { *major = 3; *minor = MINOR; *patch = PATCH; }
void nvshmem_query_thread(int* provided) { CALLED(); *provided = 2; }
void nvshmem_global_exit(int code) { CALLED(); exit(code); }
void nvshmem_debug_log(int level, unsigned long flags, const char* function, int line, const char* format, ...) {}

/* Code has no state to be set here: what is there is counted. */
int cuModuleGetGlobal_v2(void** address, size_t* bytes, void* module, const char* name) { return 500; }
int nvshmemx_cumodule_init(void* module) { CALLED_INT(); modules++; return module ? 0 : INTERNAL; }
int nvshmemx_cumodule_finalize(void* module) { CALLED_INT(); modules--; return module ? 0 : INTERNAL; }
int nvshmemx_culibrary_init(void* library) { CALLED_INT(); libraries++; return library ? 0 : INTERNAL; }
int nvshmemx_culibrary_finalize(void* library) { CALLED_INT(); libraries--; return library ? 0 : INTERNAL; }

/* ---- teams ---- */

static Slot* freeSlot(const char* who) {
    for (int i = SAME_GPU + PES + 1; i < SLOTS; i++) {
        int none = 0;
        if (__atomic_compare_exchange_n(&control->slots[i].used, &none, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            Slot* slot = control->slots + i;
            memset((char*)slot + sizeof slot->used, 0, sizeof *slot - sizeof slot->used);
            slot->id = __atomic_add_fetch(&control->ids, 1, __ATOMIC_RELAXED);
            return slot;
        }
    }
    die(who, "too many teams in all");
    return 0;
}
static int freeHandle(void) {
    for (int i = FIRST_TEAM; i < MAX_TEAMS; i++) if (!teams[i].size) return i;
    return -1;
}
typedef struct { int version, contexts; uint64_t id; char padding[48]; } TeamConfig;
/* The first member makes the team, and tells the others by way of the parent. Whoever is no member gets -1, which is no failure. */
static int split(const char* who, Team* parent, int start, int stride, int size, const TeamConfig* config, long mask, int* out) {
    *out = -1;
    agree(who, parent, HOSTS, 6, start, stride, size);
    Place* place = parent->slot->places + HOSTS;
    int me = -1, members[PES];
    for (int i = 0; i < size; i++) {
        members[i] = parent->members[start + i * stride];
        if (members[i] == myPe) me = i;
    }
    int handle = me < 0 ? 0 : freeHandle();
    place->arguments[parent->rank][0] = handle < 0;
    Slot* made = me == 0 ? freeSlot(who) : 0;
    if (made) place->arguments[start][1] = made - control->slots;
    meet(parent, HOSTS);
    int full = 0;
    for (int i = 0; i < size; i++) full |= place->arguments[start + i * stride][0];
    Slot* slot = control->slots + place->arguments[start][1];
    meet(parent, HOSTS);
    if (full) {
        if (made) made->used = 0;
        return INTERNAL;
    }
    if (me >= 0) {
        makeTeam(handle, slot, size, members);
        if (mask & 1) teams[handle].contexts = config->contexts;
        *out = handle;
    }
    return 0;
}
int nvshmem_team_split_strided(int parent, int start, int stride, int size, const TeamConfig* config, long mask, int* out) {
    CALLED_INT();
    *out = -1;
    if (parent < 0) return INVALID_VALUE;
    Team* team = teamOf(__func__, parent);
    long last = start + (long)stride * (size - 1);
    if (size < 1 || size > team->size || stride < 1 || start < 0 || last >= team->size) return INVALID_VALUE;
    return split(__func__, team, start, stride, size, config, mask, out);
}
int nvshmem_team_split_2d(int parent, int xRange, const TeamConfig* xConfig, long xMask, int* x, const TeamConfig* yConfig, long yMask,
                          int* y) {
    CALLED_INT();
    *x = *y = -1;
    if (parent < 0 || xRange < 1) return INVALID_VALUE;
    Team* team = teamOf(__func__, parent);
    int size = team->size, failed = 0;
    if (xRange > size) xRange = size;
    for (int start = 0; start < size; start += xRange) {
        int axis, n = size - start < xRange ? size - start : xRange;
        failed |= split(__func__, team, start, 1, n, xConfig, xMask, &axis);
        if (axis >= 0) *x = axis;
    }
    for (int start = 0; start < xRange; start++) {
        int axis;
        failed |= split(__func__, team, start, xRange, (size - start + xRange - 1) / xRange, yConfig, yMask, &axis);
        if (axis >= 0) *y = axis;
    }
    return failed;
}
int nvshmemx_team_get_uniqueid(uint64_t* id) {
    CALLED_INT();
    *id = freeSlot(__func__)->id;
    return 0;
}
int nvshmemx_team_init(int* out, TeamConfig* config, long mask, int size, int rank) {
    CALLED_INT();
    *out = -1;
    if (!(mask & 2) || size < 1 || size > nPes || rank < 0 || rank >= size) return INVALID_VALUE;
    int handle = freeHandle();
    for (int i = 0; i < SLOTS && handle >= 0; i++) {
        Slot* slot = control->slots + i;
        if (!LOAD(slot->used) || slot->id != config->id) continue;
        slot->members[rank] = myPe;
        __atomic_add_fetch(&slot->registered, 1, __ATOMIC_ACQ_REL);
        for (int times = 0; LOAD(slot->registered) < size;) rest(&times);
        makeTeam(handle, slot, size, slot->members);
        teams[handle].contexts = config->contexts;
        *out = handle;
        return 0;
    }
    return INTERNAL;
}
void nvshmem_team_destroy(int handle) {
    CALLED();
    if (handle < FIRST_TEAM) return;
    Team* team = teamOf(__func__, handle);
    /* The last one to leave frees the slot: another may still be waiting there. */
    if (__atomic_add_fetch(&team->slot->left, 1, __ATOMIC_ACQ_REL) == team->size) STORE(team->slot->used, 0);
    team->size = 0;
}
void nvshmem_team_get_config(int handle, TeamConfig* config) {
    CALLED();
    config->contexts = teamOf(__func__, handle)->contexts;
}
int nvshmem_team_my_pe(int handle) { return handle < 0 || handle >= MAX_TEAMS || !teams[handle].size ? -1 : teams[handle].rank; }
int nvshmem_team_n_pes(int handle) { return handle < 0 || handle >= MAX_TEAMS || !teams[handle].size ? -1 : teams[handle].size; }
int nvshmem_team_translate_pe(int from, int pe, int to) {
    CALLED(-1);
    if (from < 0 || to < 0) return -1;
    Team *source = teamOf(__func__, from), *target = teamOf(__func__, to);
    for (int i = 0; pe >= 0 && pe < source->size && i < target->size; i++) if (target->members[i] == source->members[pe]) return i;
    return -1;
}

/* ---- data ---- */

/* What is done: by the calling thread, by a stream's, or by the proxy's. */
typedef enum { PUT, GET, ONE, SIGNAL } Kind;
typedef struct {
    Kind kind;
    int late, signalOp;
    size_t size, n;
    ptrdiff_t toStride, fromStride;
    char* to;
    const char* from;
    uint64_t *signal, with, value;
} Move;
static void *const HOST = (void*)-1;

static void raise_(const char* who, uint64_t* place, uint64_t with, int op) {
    if (op == 9) STORE(*place, with);
    else if (op == 10) __atomic_add_fetch(place, with, __ATOMIC_ACQ_REL);
    else die(who, "there is no signal operation %d", op);
}
static int moved(void* arg) {
    Move* m = arg;
    const char* from = m->kind == ONE ? (const char*)&m->value : m->from;
    if (m->kind != SIGNAL) {
        if (m->toStride == 1 && m->fromStride == 1) memmove(m->to, from, m->size * m->n);
        else for (size_t i = 0; i < m->n; i++) memcpy(m->to + i * m->toStride * m->size, from + i * m->fromStride * m->size, m->size);
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (m->signal) raise_("signal", m->signal, m->with, m->signalOp);
    return 0;
}
static int movedLate(void* arg) { usleep(nbiDelay); return moved(arg); }
static int passedOn(void* arg) { putWith(proxy, movedLate, arg, sizeof(Move)); return 0; }
static void submit(Move m, void* stream) {
    Work work = m.late ? passedOn : moved;
    if (stream == HOST) work(&m);
    else putWith(stream, work, &m, sizeof m);
}
static size_t span(size_t n, ptrdiff_t stride, size_t size) { return n ? ((n - 1) * stride + 1) * size : 0; }
static void move(const char* who, Kind kind, int late, size_t size, void* to, ptrdiff_t toStride, const void* from, ptrdiff_t fromStride,
                 size_t n, uint64_t* signal, uint64_t with, int op, int pe, void* stream) {
    if (noop) return;
    called(who);
    need(who);
    if (toStride < 1 || fromStride < 1) die(who, "strides %td, %td", toStride, fromStride);
    Move m = {.kind = kind, .late = late, .size = size, .n = n, .toStride = toStride, .fromStride = fromStride, .with = with,
              .signalOp = op, .to = to, .from = from};
    if (kind == GET) m.from = onPe(who, from, span(n, fromStride, size), pe);
    else m.to = onPe(who, to, span(n, toStride, size), pe);
    if (kind == ONE) memcpy(&m.value, from, size);
    if (signal) m.signal = (uint64_t*)onPe(who, signal, sizeof *signal, pe);
    submit(m, stream);
}
/* Of a value on another PE. */
static void fetched(const char* who, void* to, const void* from, size_t size, int pe, void* stream) {
    if (noop) return;
    called(who);
    need(who);
    if (stream != HOST) cuStreamSynchronize(stream);
    memcpy(to, onPe(who, from, size, pe), size);
}

/* Each as a call that waits, and as one in a stream. */
#define MOVED(NAME, T, SIZE, KIND, LATE)                                                                               \
    void nvshmem_##NAME(T* to, const T* from, size_t n, int pe) {                                                      \
        move(__func__, KIND, LATE, SIZE, to, 1, from, 1, n, 0, 0, 0, pe, HOST);                                        \
    }                                                                                                                  \
    void nvshmemx_##NAME##_on_stream(T* to, const T* from, size_t n, int pe, void* stream) {                           \
        move(__func__, KIND, LATE, SIZE, to, 1, from, 1, n, 0, 0, 0, pe, stream);                                      \
    }
#define SIGNALLED(NAME, T, SIZE, LATE)                                                                                 \
    void nvshmemx_##NAME##_on_stream(T* to, const T* from, size_t n, uint64_t* signal, uint64_t with, int op, int pe,  \
                                     void* stream) {                                                                   \
        move(__func__, PUT, LATE, SIZE, to, 1, from, 1, n, signal, with, op, pe, stream);                              \
    }
#define STRIDED(NAME, T, SIZE, KIND)                                                                                   \
    void nvshmem_##NAME(T* to, const T* from, ptrdiff_t toStride, ptrdiff_t fromStride, size_t n, int pe) {            \
        move(__func__, KIND, 0, SIZE, to, toStride, from, fromStride, n, 0, 0, 0, pe, HOST);                           \
    }                                                                                                                  \
    void nvshmemx_##NAME##_on_stream(T* to, const T* from, ptrdiff_t toStride, ptrdiff_t fromStride, size_t n, int pe, \
                                     void* stream) {                                                                   \
        move(__func__, KIND, 0, SIZE, to, toStride, from, fromStride, n, 0, 0, 0, pe, stream);                         \
    }
#define MOVES(T, SIZE, PUT_NAME, GET_NAME)                                                                             \
    MOVED(PUT_NAME, T, SIZE, PUT, 0)                                                                                   \
    MOVED(PUT_NAME##_nbi, T, SIZE, PUT, 1)                                                                             \
    MOVED(GET_NAME, T, SIZE, GET, 0)                                                                                   \
    MOVED(GET_NAME##_nbi, T, SIZE, GET, 1)                                                                             \
    SIGNALLED(PUT_NAME##_signal, T, SIZE, 0)                                                                           \
    SIGNALLED(PUT_NAME##_signal_nbi, T, SIZE, 1)
#define SINGLE(NAME, T)                                                                                                \
    void nvshmem_##NAME##_p(T* to, T value, int pe) {                                                                  \
        move(__func__, ONE, 0, sizeof(T), to, 1, &value, 1, 1, 0, 0, 0, pe, HOST);                                     \
    }                                                                                                                  \
    void nvshmemx_##NAME##_p_on_stream(T* to, T value, int pe, void* stream) {                                         \
        move(__func__, ONE, 0, sizeof(T), to, 1, &value, 1, 1, 0, 0, 0, pe, stream);                                   \
    }                                                                                                                  \
    T nvshmem_##NAME##_g(const T* from, int pe) {                                                                      \
        T value = 0;                                                                                                   \
        fetched(__func__, &value, from, sizeof(T), pe, HOST);                                                          \
        return value;                                                                                                  \
    }                                                                                                                  \
    T nvshmemx_##NAME##_g_on_stream(const T* from, int pe, void* stream) {                                             \
        T value = 0;                                                                                                   \
        fetched(__func__, &value, from, sizeof(T), pe, stream);                                                        \
        return value;                                                                                                  \
    }

/* Values of half and bfloat16 are passed as the 16 bits that they are. */
enum { I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64 };
enum { CHAR_TYPE = (char)-1 < 0 ? I8 : U8 };
#define ATOMIC_7(X) X(uint, unsigned, U32) X(ulong, unsigned long, U64) X(ulonglong, unsigned long long, U64) \
    X(int32, int32_t, I32) X(int64, int64_t, I64) X(uint32, uint32_t, U32) X(uint64, uint64_t, U64)
#define ATOMIC_12(X) ATOMIC_7(X) X(int, int, I32) X(long, long, I64) X(longlong, long long, I64) X(size, size_t, U64) X(ptrdiff, ptrdiff_t, I64)
#define WAITED(X) ATOMIC_12(X) X(short, short, I16) X(ushort, unsigned short, U16)
#define BITWISE(X) ATOMIC_7(X) X(uchar, unsigned char, U8) X(ushort, unsigned short, U16) X(int8, int8_t, I8) X(int16, int16_t, I16) \
    X(uint8, uint8_t, U8) X(uint16, uint16_t, U16) X(size, size_t, U64)
#define ARITHMETIC(X) BITWISE(X) X(bfloat16, uint16_t, BF16) X(half, uint16_t, F16) X(float, float, F32) X(double, double, F64) \
    X(char, char, CHAR_TYPE) X(schar, signed char, I8) X(short, short, I16) X(int, int, I32) X(long, long, I64) X(longlong, long long, I64)
#define EVERY(X) ARITHMETIC(X) X(ptrdiff, ptrdiff_t, I64)

#define TYPED_RMA(NAME, T, TYPE)                                                                                       \
    MOVES(T, sizeof(T), NAME##_put, NAME##_get)                                                                        \
    STRIDED(NAME##_iput, T, sizeof(T), PUT)                                                                            \
    STRIDED(NAME##_iget, T, sizeof(T), GET)                                                                            \
    SINGLE(NAME, T)
EVERY(TYPED_RMA)
#define SIZED_RMA(BITS)                                                                                                \
    MOVES(void, BITS / 8, put##BITS, get##BITS)                                                                        \
    STRIDED(iput##BITS, void, BITS / 8, PUT)                                                                           \
    STRIDED(iget##BITS, void, BITS / 8, GET)
SIZED_RMA(8) SIZED_RMA(16) SIZED_RMA(32) SIZED_RMA(64) SIZED_RMA(128)
MOVES(void, 1, putmem, getmem)

/* ---- signals, waits, order ---- */

uint64_t nvshmem_signal_fetch(uint64_t* place) { CALLED(0); symmetric(__func__, place, sizeof *place); return LOAD(*place); }
#ifdef NEWEST
void nvshmemx_signal_counted_reset(uint64_t* place) { CALLED(); symmetric(__func__, place, sizeof *place); STORE(*place, 0); }
#endif

static int64_t valueAt(const void* at, int type) {
    switch (type) {
    case I16: return LOAD(*(int16_t*)at);
    case U16: return LOAD(*(uint16_t*)at);
    case I32: return LOAD(*(int32_t*)at);
    case U32: return LOAD(*(uint32_t*)at);
    default: return LOAD(*(int64_t*)at);
    }
}
static int holds(int64_t a, int comparison, int64_t b, int type) {
    int order = a == b ? 0 : (type == U64 ? (uint64_t)a < (uint64_t)b : a < b) ? -1 : 1;
    switch (comparison) {
    case 0: return order == 0;
    case 1: return order != 0;
    case 2: return order > 0;
    case 3: return order <= 0;
    case 4: return order < 0;
    default: return order >= 0;
    }
}
typedef struct { const char* at; size_t n, size; const int* skipped; int type, comparison; int64_t value; const char* values; int counted; } Until;
/* Waits that are in streams. */
static int waits;
/* As CUDA loads a kernel at its first launch: when no other one runs. */
static void loaded(const char* kernel) {
    static struct { char name[64]; } known[NAMES];
    int i = 0;
    lock();
    while (known[i].name[0] && strcmp(known[i].name, kernel)) i++;
    int first = !known[i].name[0];
    if (first) strncpy(known[i].name, kernel, sizeof known[i].name - 1);
    unlock();
    for (int times = 0; first && LOAD(waits) > 0;) rest(&times);
}
static int waited(void* arg) {
    Until* w = arg;
    for (size_t i = 0; i < w->n; i++) {
        if (w->skipped && w->skipped[i]) continue;
        int64_t value = w->values ? valueAt(w->values + i * w->size, w->type) : w->value;
        for (int times = 0; !holds(valueAt(w->at + i * w->size, w->type), w->comparison, value, w->type);) rest(&times);
    }
    if (w->counted) __atomic_fetch_sub(&waits, 1, __ATOMIC_ACQ_REL);
    return 0;
}
static void until(const char* who, const void* at, size_t n, size_t size, const int* skipped, int type, int comparison, int64_t value,
                  const void* values, void* stream) {
    if (noop) return;
    called(who);
    need(who);
    if (comparison < 0 || comparison > 5) die(who, "there is no comparison %d", comparison);
    symmetric(who, at, n * size);
    loaded(who);
    Until w = {at, n, size, skipped, type, comparison, value, values, !isRecorded(stream)};
    if (w.counted) __atomic_fetch_add(&waits, 1, __ATOMIC_ACQ_REL);
    putWith(stream, waited, &w, sizeof w);
}
void nvshmemx_signal_wait_until_on_stream(uint64_t* at, int comparison, uint64_t value, void* stream) {
    until(__func__, at, 1, sizeof *at, 0, U64, comparison, value, 0, stream);
}
void nvshmemx_signal_op_on_stream(uint64_t* place, uint64_t with, int op, int pe, void* stream) {
    CALLED();
    loaded(__func__);
    submit((Move){.kind = SIGNAL, .signal = (uint64_t*)onPe(__func__, place, sizeof *place, pe), .with = with, .signalOp = op}, stream);
}
#define TYPED_WAIT(NAME, T, TYPE)                                                                                      \
    void nvshmemx_##NAME##_wait_until_on_stream(T* at, int comparison, T value, void* stream) {                        \
        until(__func__, at, 1, sizeof(T), 0, TYPE, comparison, value, 0, stream);                                      \
    }                                                                                                                  \
    void nvshmemx_##NAME##_wait_until_all_on_stream(T* at, size_t n, const int* skipped, int comparison, T value,      \
                                                    void* stream) {                                                    \
        until(__func__, at, n, sizeof(T), skipped, TYPE, comparison, value, 0, stream);                                \
    }                                                                                                                  \
    void nvshmemx_##NAME##_wait_until_all_vector_on_stream(T* at, size_t n, const int* skipped, int comparison,        \
                                                           T* values, void* stream) {                                  \
        until(__func__, at, n, sizeof(T), skipped, TYPE, comparison, 0, values, stream);                               \
    }
WAITED(TYPED_WAIT)

static int drained(void* arg) { drainProxy(); return 0; }
void nvshmem_quiet(void) { CALLED(); drainProxy(); }
/* Puts after it come after those before it: it waits for them, which is more than is asked. */
void nvshmem_fence(void) { CALLED(); drainProxy(); }
void nvshmemx_quiet_on_stream(void* stream) { CALLED(); putWith(stream, drained, 0, 0); }
#ifdef NEWEST
void nvshmemx_flush(void) { CALLED(); drainProxy(); }
void nvshmemx_flush_on_stream(void* stream) { CALLED(); putWith(stream, drained, 0, 0); }
#endif

/* ---- atomics ---- */

/* In the real library, up to 3.8, they only say this. */
static void missing(const char* who) {
    if (noop) return;
    called(who);
    need(who);
    fprintf(stderr, "[%d] %s() not implemented\n", myPe, who);
}
#define ATOMIC(PREFIX, NAME, T)                                                                                        \
    void PREFIX##NAME(T* at, T value, int pe) { missing(__func__); }
#define ATOMIC_FETCH(PREFIX, NAME, T)                                                                                  \
    T PREFIX##NAME(T* at, T value, int pe) { missing(__func__); return 0; }
#define ATOMIC_ADD(NAME, T, TYPE)                                                                                      \
    ATOMIC(nvshmem_, NAME##_atomic_add, T)                                                                             \
    ATOMIC_FETCH(nvshmem_, NAME##_atomic_fetch_add, T)                                                                 \
    void nvshmem_##NAME##_atomic_inc(T* at, int pe) { missing(__func__); }                                             \
    T nvshmem_##NAME##_atomic_fetch_inc(T* at, int pe) { missing(__func__); return 0; }                                \
    T nvshmem_##NAME##_atomic_compare_swap(T* at, T expected, T value, int pe) { missing(__func__); return 0; }
ATOMIC_12(ATOMIC_ADD)
#define ATOMIC_BITS(NAME, T, TYPE)                                                                                     \
    ATOMIC(nvshmem_, NAME##_atomic_and, T)                                                                             \
    ATOMIC(nvshmem_, NAME##_atomic_or, T)                                                                              \
    ATOMIC(nvshmem_, NAME##_atomic_xor, T)                                                                             \
    ATOMIC_FETCH(nvshmem_, NAME##_atomic_fetch_and, T)                                                                 \
    ATOMIC_FETCH(nvshmem_, NAME##_atomic_fetch_or, T)                                                                  \
    ATOMIC_FETCH(nvshmem_, NAME##_atomic_fetch_xor, T)
ATOMIC_7(ATOMIC_BITS)
#define ATOMIC_SET(NAME, T, TYPE)                                                                                      \
    ATOMIC(nvshmem_, NAME##_atomic_set, T)                                                                             \
    T nvshmem_##NAME##_atomic_fetch(const T* at, int pe) { missing(__func__); return 0; }                              \
    ATOMIC_FETCH(nvshmem_, NAME##_atomic_swap, T)
ATOMIC_12(ATOMIC_SET) ATOMIC_SET(float, float, F32) ATOMIC_SET(double, double, F64)
#ifdef NEWEST
#define ATOMIC_FLOAT(NAME, T) ATOMIC(nvshmemx_, NAME##_atomic_add, T) ATOMIC_FETCH(nvshmemx_, NAME##_atomic_fetch_add, T)
ATOMIC_FLOAT(half, uint16_t) ATOMIC_FLOAT(float, float) ATOMIC_FLOAT(double, double)
#endif

/* The kernels that comm4j has instead: where, the value, the value to compare with, where what was there goes. */
#define ORDER __ATOMIC_SEQ_CST
#define ATOMIC_KERNEL(NAME, T, EXPRESSION)                                                                             \
    const int comm4j_atomic_##NAME##_parameters = 4;                                                                   \
    void comm4j_atomic_##NAME(void** arguments) {                                                                      \
        T *there = *(T**)arguments[0], *to = *(T**)arguments[3];                                                       \
        T value = *(T*)arguments[1], was = *(T*)arguments[2];                                                          \
        EXPRESSION;                                                                                                    \
        if (to) *to = was;                                                                                             \
    }
#define INTEGER_KERNELS(BITS)                                                                                          \
    ATOMIC_KERNEL(add_##BITS, uint##BITS##_t, was = __atomic_fetch_add(there, value, ORDER))                           \
    ATOMIC_KERNEL(swap_##BITS, uint##BITS##_t, was = __atomic_exchange_n(there, value, ORDER))                         \
    ATOMIC_KERNEL(compare_swap_##BITS, uint##BITS##_t,                                                                 \
                  __atomic_compare_exchange_n(there, &was, value, 0, ORDER, ORDER))                                    \
    ATOMIC_KERNEL(and_##BITS, uint##BITS##_t, was = __atomic_fetch_and(there, value, ORDER))                           \
    ATOMIC_KERNEL(or_##BITS, uint##BITS##_t, was = __atomic_fetch_or(there, value, ORDER))                             \
    ATOMIC_KERNEL(xor_##BITS, uint##BITS##_t, was = __atomic_fetch_xor(there, value, ORDER))                           \
    ATOMIC_KERNEL(fetch_##BITS, uint##BITS##_t, was = __atomic_load_n(there, ORDER))                                   \
    ATOMIC_KERNEL(set_##BITS, uint##BITS##_t, __atomic_store_n(there, value, ORDER))
INTEGER_KERNELS(32) INTEGER_KERNELS(64)
static float widened(uint16_t bits, int type);
static uint16_t narrowed(float value, int type);
#define ADD_KERNEL(NAME, T, SUM)                                                                                       \
    ATOMIC_KERNEL(add_##NAME, T, T now; __atomic_load(there, &was, ORDER);                                             \
                  do now = SUM; while (!__atomic_compare_exchange(there, &was, &now, 0, ORDER, ORDER)))
ADD_KERNEL(f16, uint16_t, narrowed(widened(was, F16) + widened(value, F16), F16))
ADD_KERNEL(f32, float, was + value)
ADD_KERNEL(f64, double, was + value)

/* ---- collectives ---- */

static float widened(uint16_t bits, int type) {
    if (type == F16) { _Float16 half; memcpy(&half, &bits, 2); return half; }
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, 4);
    return value;
}
static uint16_t narrowed(float value, int type) {
    uint16_t bits;
    if (type == F16) { _Float16 half = value; memcpy(&bits, &half, 2); return bits; }
    uint32_t wide;
    memcpy(&wide, &value, 4);
    return value != value ? 0x7fff : (wide + 0x7fff + (wide >> 16 & 1)) >> 16;
}
enum { SUM, PROD, MIN, MAX, AND, OR, XOR };
#define INTEGER(a, op, b) (op == SUM ? a + b : op == PROD ? a * b : op == MIN ? (b < a ? b : a) : op == MAX ? (b > a ? b : a) \
    : op == AND ? (a & b) : op == OR ? (a | b) : (a ^ b))
#define FLOATING(a, op, b) (op == SUM ? a + b : op == PROD ? a * b : op == MIN ? (b < a ? b : a) : (b > a ? b : a))
/* The kernels by which comm4j's communicator reduces: where, the first row, the distance of rows, how many, the count. */
#define REDUCE_KERNEL(NAME, STEP)                                                                                      \
    const int comm4j_reduce_##NAME##_parameters = 5;                                                                   \
    void comm4j_reduce_##NAME(void** arguments) {                                                                      \
        char *to = *(char**)arguments[0], *from = *(char**)arguments[1];                                               \
        size_t stride = *(size_t*)arguments[2], rows = *(size_t*)arguments[3], count = *(size_t*)arguments[4];         \
        for (size_t i = 0; i < count; i++) { STEP }                                                                    \
    }
#define ROWS(T, A, GET, HOW, END, PUT)                                                                                 \
    A a = GET(((T*)from)[i]);                                                                                          \
    for (size_t r = 1; r < rows; r++) { A b = GET(((T*)(from + r * stride))[i]); HOW; }                                \
    END;                                                                                                               \
    ((T*)to)[i] = PUT(a);
#define SAME(X) (X)
#define INTEGER_REDUCTIONS(NAME, T)                                                                                    \
    REDUCE_KERNEL(sum_##NAME, ROWS(T, T, SAME, a = a + (uint64_t)b, , SAME))                                           \
    REDUCE_KERNEL(avg_##NAME, ROWS(T, T, SAME, a = a + (uint64_t)b, a = a / (T)rows, SAME))                            \
    REDUCE_KERNEL(prod_##NAME, ROWS(T, T, SAME, a = a * (uint64_t)b, , SAME))                                          \
    REDUCE_KERNEL(min_##NAME, ROWS(T, T, SAME, if (b < a) a = b, , SAME))                                              \
    REDUCE_KERNEL(max_##NAME, ROWS(T, T, SAME, if (b > a) a = b, , SAME))                                              \
    REDUCE_KERNEL(band_##NAME, ROWS(T, T, SAME, a &= b, , SAME))                                                       \
    REDUCE_KERNEL(bor_##NAME, ROWS(T, T, SAME, a |= b, , SAME))                                                        \
    REDUCE_KERNEL(bxor_##NAME, ROWS(T, T, SAME, a ^= b, , SAME))
INTEGER_REDUCTIONS(int8, int8_t) INTEGER_REDUCTIONS(uint8, uint8_t) INTEGER_REDUCTIONS(int16, int16_t)
INTEGER_REDUCTIONS(uint16, uint16_t) INTEGER_REDUCTIONS(int32, int32_t) INTEGER_REDUCTIONS(uint32, uint32_t)
INTEGER_REDUCTIONS(int64, int64_t) INTEGER_REDUCTIONS(uint64, uint64_t)
/* A NaN stays one, and -0 is less than 0. */
#define LESS(A, B) ((A) != (A) ? (A) : (B) != (B) ? (B) : (A) < (B) || ((A) == (B) && signbit(A)) ? (A) : (B))
#define MORE(A, B) ((A) != (A) ? (A) : (B) != (B) ? (B) : (A) > (B) || ((A) == (B) && !signbit(A)) ? (A) : (B))
#define REAL_REDUCTIONS(NAME, T, A, GET, PUT)                                                                          \
    REDUCE_KERNEL(sum_##NAME, ROWS(T, A, GET, a += b, , PUT))                                                          \
    REDUCE_KERNEL(avg_##NAME, ROWS(T, A, GET, a += b, a /= (A)rows, PUT))                                              \
    REDUCE_KERNEL(prod_##NAME, ROWS(T, A, GET, a *= b, , PUT))                                                         \
    REDUCE_KERNEL(min_##NAME, ROWS(T, A, GET, a = LESS(a, b), , PUT))                                                  \
    REDUCE_KERNEL(max_##NAME, ROWS(T, A, GET, a = MORE(a, b), , PUT))
#define FROM_F16(X) widened(X, F16)
#define TO_F16(X) narrowed(X, F16)
#define FROM_BF16(X) widened(X, BF16)
#define TO_BF16(X) narrowed(X, BF16)
REAL_REDUCTIONS(float16, uint16_t, float, FROM_F16, TO_F16) REAL_REDUCTIONS(bfloat16, uint16_t, float, FROM_BF16, TO_BF16)
REAL_REDUCTIONS(float32, float, float, SAME, SAME) REAL_REDUCTIONS(float64, double, double, SAME, SAME)
#define PAIRS(T, HOW, END)                                                                                             \
    T* pair = (T*)from + 2 * i;                                                                                        \
    T a = pair[0], b = pair[1];                                                                                        \
    for (size_t r = 1; r < rows; r++) { T *next = (T*)(from + r * stride) + 2 * i, x = next[0], y = next[1]; HOW; }    \
    END;                                                                                                               \
    ((T*)to)[2 * i] = a, ((T*)to)[2 * i + 1] = b;
#define COMPLEX_REDUCTIONS(NAME, T)                                                                                    \
    REDUCE_KERNEL(sum_##NAME, PAIRS(T, (a += x, b += y), ))                                                            \
    REDUCE_KERNEL(avg_##NAME, PAIRS(T, (a += x, b += y), (a /= rows, b /= rows)))                                      \
    REDUCE_KERNEL(prod_##NAME, PAIRS(T, T c = a * x - b * y; b = a * y + b * x; a = c, ))
COMPLEX_REDUCTIONS(complex64, float) COMPLEX_REDUCTIONS(complex128, double)

#define COMBINE(T, HOW) { T* a = into; const T* b = with; for (size_t i = 0; i < n; i++) a[i] = HOW(a[i], op, b[i]); } break
static void combine(void* into, const void* with, size_t n, int type, int op) {
    switch (type) {
    case I8: COMBINE(int8_t, INTEGER);
    case U8: COMBINE(uint8_t, INTEGER);
    case I16: COMBINE(int16_t, INTEGER);
    case U16: COMBINE(uint16_t, INTEGER);
    case I32: COMBINE(int32_t, INTEGER);
    case U32: COMBINE(uint32_t, INTEGER);
    case I64: COMBINE(int64_t, INTEGER);
    case U64: COMBINE(uint64_t, INTEGER);
    case F32: COMBINE(float, FLOATING);
    case F64: COMBINE(double, FLOATING);
    default: {
        uint16_t* a = into;
        const uint16_t* b = with;
        for (size_t i = 0; i < n; i++) {
            float x = widened(a[i], type), y = widened(b[i], type);
            a[i] = narrowed(FLOATING(x, op, y), type);
        }
    }
    }
}

typedef enum { BARRIER, SYNC, REDUCE, REDUCE_SCATTER, BROADCAST, FCOLLECT, ALL_TO_ALL } Collective;
typedef struct { const char* who; Collective what; Team* team; char* to; const char* from; size_t n, size; int type, op; } Together;
static const char* partOf(Together* c, int member, size_t index) {
    return heapOf(c->team->members[member]) + (c->from - heap) + index * c->n * c->size;
}
/* Everybody reads what it needs, then everybody writes: so that both may be the same memory. */
static int together(void* arg) {
    Together* c = arg;
    Team* team = c->team;
    if (c->what == BARRIER) drainProxy();
    agree(c->who, team, STREAMS, c->what, c->n, c->size << 8 | c->type, c->what == BROADCAST || c->what <= REDUCE_SCATTER ? c->op : 0);
    size_t bytes = c->n * c->size;
    int parts = c->what == FCOLLECT || c->what == ALL_TO_ALL ? team->size : 1;
    if (c->what > SYNC && bytes) {
        char* result = malloc(bytes * parts);
        for (int i = 0; i < (c->what <= REDUCE_SCATTER ? team->size : parts); i++) {
            switch (c->what) {
            case REDUCE:
            case REDUCE_SCATTER: {
                const char* from = partOf(c, i, c->what == REDUCE ? 0 : team->rank);
                if (i) combine(result, from, c->n, c->type, c->op);
                else memcpy(result, from, bytes);
                break;
            }
            case BROADCAST: memcpy(result, partOf(c, c->op, 0), bytes); break;
            case FCOLLECT: memcpy(result + i * bytes, partOf(c, i, 0), bytes); break;
            default: memcpy(result + i * bytes, partOf(c, i, team->rank), bytes);
            }
        }
        meet(team, STREAMS);
        memcpy(c->to, result, bytes * parts);
        free(result);
    }
    return 0;
}
enum { MANY = 3000 };
static int collective(const char* who, Collective what, int handle, void* to, const void* from, size_t n, size_t size, int type, int op,
                      void* stream) {
    if (noop) return 0;
    int failed = called(who);
    need(who);
    if (failed) return failed;
    Team* team = teamOf(who, handle);
    size_t bytes = n * size;
    if (what == BROADCAST && (op < 0 || op >= team->size)) die(who, "the root %d is not in 0..%d", op, team->size - 1);
    if (bytes) {
        symmetric(who, to, bytes * (what == FCOLLECT || what == ALL_TO_ALL ? team->size : 1));
        symmetric(who, from, bytes * (what == REDUCE_SCATTER || what == ALL_TO_ALL ? team->size : 1));
    }
    /* As the NCCL below connects the members: in the first call that goes a certain way, which depends on the size. */
    unsigned way = 1u << (bytes < MANY ? 2 * what : 2 * what + 1);
    if (what > SYNC && stream != HOST && bytes && !(team->connected & way)) {
        meet(team, CONNECTIONS);
        team->connected |= way;
    }
    Together c = {who, what, team, to, from, n, size, type, op};
    if (stream == HOST) together(&c);
    else putWith(stream, together, &c, sizeof c);
    return 0;
}
#define WITHOUT_PARENTHESES(...) __VA_ARGS__
#define BOTH(NAME, PARAMETERS, ...)                                                                                    \
    int nvshmem_##NAME(WITHOUT_PARENTHESES PARAMETERS) { return collective(__func__, __VA_ARGS__, HOST); }             \
    int nvshmemx_##NAME##_on_stream(WITHOUT_PARENTHESES PARAMETERS, void* stream) {                                    \
        return collective(__func__, __VA_ARGS__, stream);                                                              \
    }
#define SPREAD(T, SIZE, TO_ALL, CAST, COLLECT)                                                                         \
    BOTH(TO_ALL, (int team, T* to, const T* from, size_t n), ALL_TO_ALL, team, to, from, n, SIZE, 0, 0)                \
    BOTH(COLLECT, (int team, T* to, const T* from, size_t n), FCOLLECT, team, to, from, n, SIZE, 0, 0)                 \
    BOTH(CAST, (int team, T* to, const T* from, size_t n, int root), BROADCAST, team, to, from, n, SIZE, 0, root)
#define TYPED_SPREAD(NAME, T, TYPE) SPREAD(T, sizeof(T), NAME##_alltoall, NAME##_broadcast, NAME##_fcollect)
EVERY(TYPED_SPREAD)
SPREAD(void, 1, alltoallmem, broadcastmem, fcollectmem)
#define REDUCED(NAME, T, TYPE, OP)                                                                                     \
    BOTH(NAME##_reduce, (int team, T* to, const T* from, size_t n), REDUCE, team, to, from, n, sizeof(T), TYPE, OP)    \
    BOTH(NAME##_reducescatter, (int team, T* to, const T* from, size_t n), REDUCE_SCATTER, team, to, from, n,          \
         sizeof(T), TYPE, OP)
#define TYPED_ARITHMETIC(NAME, T, TYPE)                                                                                \
    REDUCED(NAME##_sum, T, TYPE, SUM)                                                                                  \
    REDUCED(NAME##_prod, T, TYPE, PROD)                                                                                \
    REDUCED(NAME##_min, T, TYPE, MIN)                                                                                  \
    REDUCED(NAME##_max, T, TYPE, MAX)
ARITHMETIC(TYPED_ARITHMETIC)
#define TYPED_BITWISE(NAME, T, TYPE)                                                                                   \
    REDUCED(NAME##_and, T, TYPE, AND)                                                                                  \
    REDUCED(NAME##_or, T, TYPE, OR)                                                                                    \
    REDUCED(NAME##_xor, T, TYPE, XOR)
BITWISE(TYPED_BITWISE)

int nvshmem_barrier(int team) { return collective(__func__, BARRIER, team, 0, 0, 0, 0, 0, 0, HOST); }
int nvshmemx_barrier_on_stream(int team, void* s) { return collective(__func__, BARRIER, team, 0, 0, 0, 0, 0, 0, s); }
void nvshmem_barrier_all(void) { collective(__func__, BARRIER, WORLD, 0, 0, 0, 0, 0, 0, HOST); }
void nvshmemx_barrier_all_on_stream(void* s) { collective(__func__, BARRIER, WORLD, 0, 0, 0, 0, 0, 0, s); }
int nvshmem_team_sync(int team) { return collective(__func__, SYNC, team, 0, 0, 0, 0, 0, 0, HOST); }
int nvshmemx_team_sync_on_stream(int team, void* s) { return collective(__func__, SYNC, team, 0, 0, 0, 0, 0, 0, s); }
void nvshmem_sync_all(void) { collective(__func__, SYNC, WORLD, 0, 0, 0, 0, 0, 0, HOST); }
void nvshmemx_sync_all_on_stream(void* s) { collective(__func__, SYNC, WORLD, 0, 0, 0, 0, 0, 0, s); }

#ifdef NEWEST
/* ---- since 3.5 ---- */

int nvshmemx_qp_create(int n, int** out) {
    CALLED_INT();
    static int next = 2;
    *out = malloc(n * sizeof **out);
    for (int i = 0; i < n; i++) (*out)[i] = next++;
    return 0;
}
static uint32_t hints;
static long regions;
int nvshmemx_region_start(uint64_t* handle, const uint32_t* attributes) {
    CALLED_INT();
    *handle = ++regions;
    hints = attributes ? *attributes : 0;
    return 0;
}
int nvshmemx_region_stop(uint64_t handle) { CALLED_INT(); regions--; hints = 0; return 0; }
int nvshmemx_region_is_active(uint32_t wanted, int* active) {
    CALLED_INT();
    *active = regions > 0 && (hints & wanted) == wanted;
    return 0;
}

/* A kernel is a C function of its arguments here, and runs when the stream has come to it. */
typedef struct { unsigned x, y, z; } Dim3;
int nvshmemx_collective_launch(void (*kernel)(void**), Dim3 grid, Dim3 block, void** arguments, size_t shared, void* stream) {
    CALLED_INT();
    if (!grid.x || !block.x || block.x > 1024) return LAUNCH_FAILED;
    cuStreamSynchronize(stream);
    kernel(arguments);
    return 0;
}
typedef struct { Dim3 grid, block; size_t shared; void *stream, *attributes; unsigned n; } Launch;
int nvshmemx_collective_launch_attr(const Launch* launch, void (*kernel)(void**), void** arguments) {
    return nvshmemx_collective_launch(kernel, launch->grid, launch->block, arguments, launch->shared, launch->stream);
}
int nvshmemx_collective_launch_query_gridsize(const void* kernel, Dim3 block, void** arguments, size_t shared, int* size) {
    CALLED_INT();
    *size = 132;
    return 0;
}
#endif

/* ---- control ---- */

void sim_set(const char* what, long value) {
    if (!strcmp(what, "nbiDelay")) nbiDelay = value;
    else if (!strcmp(what, "initSwallowed")) swallowed = value;
    else if (!setDriver(what, value)) abort();
}
long sim_get(const char* what) {
    long value;
    if (getDriver(what, &value)) return value;
    if (!strcmp(what, "pieces")) return pieceCount;
    if (!strcmp(what, "modules")) return modules;
    if (!strcmp(what, "libraries")) return libraries;
    if (!strcmp(what, "registered")) return registered;
    if (!strcmp(what, "teams")) {
        value = 0;
        for (int i = FIRST_TEAM; i < MAX_TEAMS; i++) value += teams[i].size > 0;
        return value;
    }
    abort();
}
