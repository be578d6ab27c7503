// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/*
 * A CUDA driver in host memory, for tests on machines without a GPU; each simulated library includes it. "Devices" are numbers, device
 * memory comes from malloc, every stream is a thread with a queue. Tests can make calls fail, and have them counted.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int (*Work)(void*);

static pthread_mutex_t M = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t C = PTHREAD_COND_INITIALIZER;

static void lock(void) { pthread_mutex_lock(&M); }
static void unlock(void) { pthread_mutex_unlock(&M); }
static void changed(void) { pthread_cond_broadcast(&C); }
static void await(void) { pthread_cond_wait(&C, &M); }

/* ---- what tests control ---- */

enum { NAMES = 512 };
static struct { char name[64]; long count; int failures, status; } calls[NAMES];
static int noop, devices = 8, capability = 9;

static int called(const char* name) {
    if (noop) return 0;
    int status = 0;
    lock();
    for (int i = 0; i < NAMES; i++) {
        if (!calls[i].name[0]) strncpy(calls[i].name, name, sizeof calls[i].name - 1);
        if (!strcmp(calls[i].name, name)) {
            calls[i].count++;
            if (calls[i].failures > 0) {
                calls[i].failures--;
                status = calls[i].status;
            }
            break;
        }
    }
    unlock();
    return status;
}
#define CALL() do { int failed_ = called(__func__); if (failed_) return failed_; } while (0)

void sim_fail(const char* name, int status, int times) {
    lock();
    for (int i = 0; i < NAMES; i++) {
        if (!calls[i].name[0]) strncpy(calls[i].name, name, sizeof calls[i].name - 1);
        if (!strcmp(calls[i].name, name)) {
            calls[i].failures = times;
            calls[i].status = status;
            break;
        }
    }
    unlock();
}
long sim_count(const char* name) {
    for (int i = 0; i < NAMES; i++) if (!strcmp(calls[i].name, name)) return calls[i].count;
    return 0;
}

/* ---- driver ---- */

enum { CUDA_INVALID = 1, CUDA_NOT_FOUND = 500, CUDA_NOT_READY = 600 };
static __thread int current = -1;

/* What a stream does: some work with an argument, which may be a copy that goes with the task. */
typedef struct Task { Work work; void* arg; struct Task* next; char copy[]; } Task;
typedef struct Graph Graph;
typedef struct Stream {
    int device, closed, hidden; long put, done; Task *first, *last; pthread_t thread; Graph* graph; struct Stream* next;
    pthread_cond_t work; /* of its own: idle streams, and there are many, are not woken by what happens elsewhere */
} Stream;
typedef struct { long recorded, reached; struct timespec time; Graph* graph; } Event;
/* Lent: 1 from another library, which gives it back, 2 mapped. */
typedef struct Block { char* at; size_t bytes; int device, lent; struct Block* next; } Block;
static Block* blocks;
static long liveBytes, liveStreams, liveEvents;

int cuInit(unsigned flags) { return 0; }
int cuDriverGetVersion(int* v) { *v = 13000; return 0; }
int cuDeviceGetCount(int* n) { *n = devices; return 0; }
int cuDeviceGet(int* device, int ordinal) { *device = ordinal; return 0; }
int cuDeviceGetName(char* text, int n, int device) { snprintf(text, n, "Simulated GPU %d", device); return 0; }
int cuDeviceGetPCIBusId(char* text, int n, int device) { snprintf(text, n, "0000:%02x:00.0", device); return 0; }
int cuDeviceGetUuid_v2(unsigned char uuid[16], int device) { memset(uuid, device + 1, 16); return 0; }
int cuDeviceTotalMem_v2(size_t* bytes, int device) { *bytes = 1UL << 34; return 0; }
int cuDeviceGetAttribute(int* value, int attribute, int device) {
    *value = attribute == 75 ? capability
        : attribute == 16 ? 4
        : attribute == 97 ? 232448
        : attribute == 95 || attribute == 103 || attribute == 122;
    return 0;
}
int cuDeviceCanAccessPeer(int* can, int a, int b) { *can = 1; return 0; }
int cuDevicePrimaryCtxRetain(void** context, int device) { *context = (void*)(0x1000L + device); return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { CALL(); return 0; }
int cuCtxSetCurrent(void* context) { current = (long)context - 0x1000; return 0; }
int cuCtxGetCurrent(void** context) { *context = current < 0 ? 0 : (void*)(0x1000L + current); return 0; }
int cuCtxSynchronize(void);
int cuCtxGetStreamPriorityRange(int* least, int* greatest) { *least = 0; *greatest = -5; return 0; }
int cuMemGetInfo_v2(size_t* available, size_t* total) { *total = 1UL << 34; *available = *total - liveBytes; return 0; }
int cuGetErrorName(int status, const char** text) { *text = "CUDA_ERROR_SIMULATED"; return 0; }
int cuGetErrorString(int status, const char** text) { *text = "simulated"; return 0; }

static int newBlock(void** at, size_t bytes, size_t alignment) {
    Block* block = malloc(sizeof *block);
    size_t room = (bytes + alignment - 1) / alignment * alignment;
    *block = (Block){aligned_alloc(alignment, room), bytes, current, 0, 0};
    if (!block->at) { free(block); return 2; }
    memset(block->at, 0xdd, room);
    lock();
    block->next = blocks;
    blocks = block;
    liveBytes += bytes;
    unlock();
    *at = block->at;
    return 0;
}
static int dropBlock(void* at) {
    lock();
    for (Block** b = &blocks; *b; b = &(*b)->next) {
        if ((*b)->at == at && !(*b)->lent) {
            Block* gone = *b;
            *b = gone->next;
            liveBytes -= gone->bytes;
            unlock();
            free(gone->at);
            free(gone);
            return 0;
        }
    }
    unlock();
    return CUDA_INVALID;
}
/* Whole large pages where the size allows: only they are like memory of cuMemCreate, which other processes can map. */
enum { PAGE = 2 << 20 };
int cuMemAlloc_v2(void** at, size_t bytes) { CALL(); return newBlock(at, bytes, bytes % PAGE ? 256 : PAGE); }
int cuMemFree_v2(void* at) { CALL(); return dropBlock(at); }
int cuMemHostAlloc(void** at, size_t bytes, unsigned flags) { *at = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096); return 0; }
int cuMemFreeHost(void* at) { free(at); return 0; }
int cuPointerGetAttribute(void* data, int attribute, char* at) {
    CALL();
    int status = CUDA_INVALID;
    lock();
    for (Block* b = blocks; b; b = b->next) {
        if (at >= b->at && at < b->at + b->bytes) {
            status = 0;
            *(int*)data = attribute == 2 ? 2 : attribute == 9 ? b->device : 0;
        }
    }
    unlock();
    return status;
}

/* Memory with addresses of its own, which other processes could map: a mapping is a block like those above. */
typedef struct { size_t bytes; int type, handles, device, references; } Physical;
typedef struct Mapping { char* at; size_t bytes; Physical* physical; struct Mapping* next; } Mapping;
static Mapping* mappings;
static long livePhysical;

static Physical* physicalAt(char* at) {
    for (Mapping* m = mappings; m; m = m->next) if (at >= m->at && at < m->at + m->bytes) return m->physical;
    return 0;
}
int cuMemGetAllocationGranularity(size_t* bytes, const int* prop, int option) { *bytes = PAGE; return 0; }
int cuMemCreate(Physical** handle, size_t bytes, const int* prop, unsigned long flags) {
    CALL();
    if (!bytes || bytes % PAGE) return CUDA_INVALID;
    if (bytes > 1UL << 33) return 2;
    *handle = malloc(sizeof **handle);
    **handle = (Physical){bytes, prop[0], prop[1], prop[3], 1};
    livePhysical++;
    return 0;
}
int cuMemRelease(Physical* handle) {
    lock();
    if (--handle->references == 0) {
        free(handle);
        livePhysical--;
    }
    unlock();
    return 0;
}
int cuMemAddressReserve(char** at, size_t bytes, size_t alignment, void* wish, unsigned long flags) {
    *at = aligned_alloc(alignment < PAGE ? PAGE : alignment, bytes);
    return *at ? 0 : 2;
}
int cuMemAddressFree(char* at, size_t bytes) { free(at); return 0; }
int cuMemMap(char* at, size_t bytes, size_t offset, Physical* handle, unsigned long flags) {
    if (bytes > handle->bytes || offset) return CUDA_INVALID;
    Mapping* mapping = malloc(sizeof *mapping);
    Block* block = malloc(sizeof *block);
    lock();
    handle->references++;
    *mapping = (Mapping){at, bytes, handle, mappings};
    mappings = mapping;
    *block = (Block){at, bytes, handle->device, 2, blocks};
    blocks = block;
    unlock();
    return 0;
}
int cuMemUnmap(char* at, size_t bytes) {
    Physical* gone = 0;
    lock();
    for (Mapping** m = &mappings; *m && !gone; m = gone ? m : &(*m)->next) {
        Mapping* mapping = *m;
        if (mapping->at != at || mapping->bytes != bytes) continue;
        gone = mapping->physical;
        *m = mapping->next;
        free(mapping);
    }
    for (Block** b = &blocks; gone && *b; b = &(*b)->next) {
        Block* block = *b;
        if (block->at != at) continue;
        *b = block->next;
        free(block);
        break;
    }
    unlock();
    return gone ? cuMemRelease(gone) : CUDA_INVALID;
}
int cuMemSetAccess(void* at, size_t bytes, const int* access, size_t count) { return 0; }
int cuMemGetAddressRange_v2(char** base, size_t* bytes, char* at) {
    int status = CUDA_INVALID;
    lock();
    for (Block* b = blocks; b; b = b->next) {
        if (at >= b->at && at < b->at + b->bytes) {
            status = 0;
            if (base) *base = b->at;
            if (bytes) *bytes = b->bytes;
            break;
        }
    }
    unlock();
    return status;
}
int cuMemRetainAllocationHandle(Physical** handle, char* at) {
    lock();
    Physical* found = physicalAt(at);
    if (found) found->references++;
    unlock();
    *handle = found;
    return found ? 0 : CUDA_INVALID;
}
int cuMemGetAllocationPropertiesFromHandle(int* prop, Physical* handle) {
    prop[0] = handle->type;
    prop[1] = handle->handles;
    prop[2] = 1;
    prop[3] = handle->device;
    return 0;
}

static void* runStream(void* arg) {
    Stream* s = arg;
    lock();
    while (1) {
        while (!s->first && !s->closed) pthread_cond_wait(&s->work, &M);
        Task* task = s->first;
        if (!task) break;
        s->first = task->next;
        unlock();
        task->work(task->arg);
        free(task);
        lock();
        s->done++;
        changed();
    }
    if (!s->hidden) liveStreams--;
    unlock();
    return 0; /* never freed: what uses it after this is found by that it is closed */
}
static int isLegacy(void* stream) { return (long)stream <= 1; }
static void enqueue(Stream* s, Task* task) {
    lock();
    if (s->closed) {
        fprintf(stderr, "work for a stream that was destroyed\n");
        abort();
    }
    if (s->first) s->last->next = task; else s->first = task;
    s->last = task;
    s->put++;
    pthread_cond_signal(&s->work);
    unlock();
}
/* What streams record instead of doing it, whichever thread calls: tasks, and events to record or to wait for, each with its stream. */
typedef struct Step { Stream* stream; Event *record, *await; Work work; size_t bytes; struct Step* next; char copy[]; } Step;
struct Graph { Stream* origin; Step *first, **end; };
static int isRecorded(Stream* s) { return !isLegacy(s) && s->graph; }
static Step* record(Stream* stream, size_t bytes) {
    Step* step = calloc(1, sizeof *step + bytes);
    step->stream = stream;
    step->bytes = bytes;
    *stream->graph->end = step;
    stream->graph->end = &step->next;
    return step;
}
/* Work whose argument somebody else owns: it runs once. */
static void put(void* stream, Work work, void* arg) {
    if (isLegacy(stream)) {
        work(arg);
        return;
    }
    if (isRecorded(stream)) {
        fprintf(stderr, "simulated driver: this cannot be recorded\n");
        abort();
    }
    Task* task = malloc(sizeof *task);
    *task = (Task){work, arg, 0};
    enqueue(stream, task);
}
/* Work with a copy of its argument: a graph can repeat it. */
static void putWith(void* stream, Work work, const void* arg, size_t bytes) {
    if (isRecorded(stream)) {
        Step* step = record(stream, bytes);
        step->work = work;
        if (bytes) memcpy(step->copy, arg, bytes);
        return;
    }
    Task* task = malloc(sizeof *task + bytes);
    *task = (Task){work, task->copy, 0};
    if (bytes) memcpy(task->copy, arg, bytes);
    if (isLegacy(stream)) {
        work(task->arg);
        free(task);
    } else {
        enqueue(stream, task);
    }
}
/* Those of all devices that are open, or have work left. */
static Stream* streams;
static Stream* busyStream(int device) {
    for (Stream** at = &streams; *at;) {
        Stream* s = *at;
        if (s->closed && s->done == s->put) *at = s->next;
        else if (s->device == device && !s->hidden && s->done < s->put) return s;
        else at = &s->next;
    }
    return 0;
}
int cuCtxSynchronize(void) {
    lock();
    while (busyStream(current)) await();
    unlock();
    return 0;
}
static Stream* newStream(int hidden) {
    Stream* s = calloc(1, sizeof *s);
    s->device = current;
    s->hidden = hidden;
    pthread_cond_init(&s->work, 0);
    lock();
    if (!hidden) liveStreams++;
    s->next = streams;
    streams = s;
    unlock();
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 256 << 10);
    pthread_create(&s->thread, &small, runStream, s);
#ifndef RELEASES_CONTEXT
    pthread_detach(s->thread);
#endif
    return s;
}
#ifdef RELEASES_CONTEXT
/* As the exit handler of a CUDA runtime that holds the primary context: the driver's threads have ended behind it. */
__attribute__((destructor)) static void releaseContext(void) {
    for (Stream* s = streams; s; s = s->next) {
        lock();
        s->closed = 1;
        pthread_cond_signal(&s->work);
        unlock();
        pthread_join(s->thread, 0);
    }
}
#endif
int cuStreamCreateWithPriority(void** stream, unsigned flags, int priority) { CALL(); *stream = newStream(0); return 0; }
int cuStreamDestroy_v2(Stream* s) { lock(); s->closed = 1; pthread_cond_signal(&s->work); unlock(); return 0; }
int cuStreamGetCtx(Stream* s, void** context) { *context = (void*)(0x1000L + s->device); return 0; }
int cuStreamGetPriority(void* s, int* priority) { *priority = 0; return 0; }
int cuStreamIsCapturing(Stream* s, int* status) { *status = isRecorded(s); return 0; }
int cuStreamQuery(Stream* s) {
    if (isLegacy(s) || noop) return 0;
    lock();
    int done = s->done == s->put;
    unlock();
    return done ? 0 : CUDA_NOT_READY;
}
int cuStreamSynchronize(Stream* s) {
    if (isLegacy(s)) return 0;
    lock();
    while (s->done != s->put) await();
    unlock();
    return 0;
}
int cuEventCreate(void** event, unsigned flags) {
    lock();
    liveEvents++;
    unlock();
    *event = calloc(1, sizeof(Event));
    return 0;
}
int cuEventDestroy_v2(Event* event) { lock(); liveEvents--; unlock(); return 0; /* a stream may still reach it: never freed */ }
static int reach(void* arg) {
    Event* e = arg;
    lock();
    clock_gettime(CLOCK_MONOTONIC, &e->time);
    e->reached++;
    changed();
    unlock();
    return 0;
}
int cuEventRecord(Event* event, void* stream) {
    event->graph = isRecorded(stream) ? ((Stream*)stream)->graph : 0;
    if (event->graph) {
        record(stream, 0)->record = event;
        return 0;
    }
    lock();
    event->recorded++;
    unlock();
    put(stream, reach, event);
    return 0;
}
int cuEventQuery(Event* event) {
    lock();
    int done = event->reached == event->recorded;
    unlock();
    return done ? 0 : CUDA_NOT_READY;
}
int cuEventSynchronize(Event* event) { lock(); while (event->reached != event->recorded) await(); unlock(); return 0; }
int cuEventElapsedTime_v2(float* millis, Event* start, Event* end) {
    lock();
    int done = start->recorded && end->recorded && start->reached == start->recorded && end->reached == end->recorded;
    *millis = (end->time.tv_sec - start->time.tv_sec) * 1e3f + (end->time.tv_nsec - start->time.tv_nsec) * 1e-6f;
    unlock();
    return done ? 0 : CUDA_NOT_READY;
}
/* What was recorded when the call was made counts, not what is recorded later. */
typedef struct { Event* event; long recorded; } Wait;
static int pass(void* arg) {
    Wait* wait = arg;
    lock();
    while (wait->event->reached < wait->recorded) await();
    unlock();
    return 0;
}
int cuStreamWaitEvent(Stream* stream, Event* event, unsigned flags) {
    if (event->graph) {
        stream->graph = event->graph;
        record(stream, 0)->await = event;
        return 0;
    }
    lock();
    Wait wait = {event, event->recorded};
    unlock();
    putWith(stream, pass, &wait, sizeof wait);
    return 0;
}
typedef struct { void (*function)(void*); void* arg; } Host;
static int callHost(void* arg) {
    Host* host = arg;
    host->function(host->arg);
    return 0;
}
int cuLaunchHostFunc(void* stream, void (*function)(void*), void* arg) {
    Host host = {function, arg};
    putWith(stream, callHost, &host, sizeof host);
    return 0;
}

int cuStreamBeginCapture_v2(Stream* s, int mode) {
    Graph* graph = s->graph = calloc(1, sizeof *graph);
    graph->origin = s;
    graph->end = &graph->first;
    return 0;
}
int cuStreamEndCapture(Stream* s, Graph** graph) {
    *graph = s->graph;
    s->graph = 0;
    for (Step* step = (*graph)->first; step; step = step->next) {
        step->stream->graph = 0;
        if (step->record) step->record->graph = 0;
    }
    return 0;
}
int cuStreamGetCaptureInfo_v3(Stream* s, int* status, uint64_t* id, Graph** graph, void* d, void* e, size_t* n) {
    *status = isRecorded(s);
    if (graph) *graph = *status ? s->graph : 0;
    return 0;
}
int cuGraphDestroy(Graph* graph) {
    for (Step *step = graph->first, *next; step; step = next) {
        next = step->next;
        free(step);
    }
    free(graph);
    return 0;
}
int cuGraphGetNodes(Graph* graph, void** nodes, size_t* n) {
    *n = 0;
    for (Step* step = graph->first; step; step = step->next) ++*n;
    return 0;
}
int cuGraphInstantiateWithFlags(Graph** exec, Graph* graph, unsigned long long flags) {
    *exec = malloc(sizeof **exec);
    **exec = (Graph){graph->origin, 0, &(*exec)->first};
    for (Step* step = graph->first; step; step = step->next) {
        Step* copy = malloc(sizeof *step + step->bytes);
        memcpy(copy, step, sizeof *step + step->bytes);
        copy->next = 0;
        *(*exec)->end = copy;
        (*exec)->end = &copy->next;
    }
    return 0;
}
int cuGraphExecDestroy(Graph* exec) { return cuGraphDestroy(exec); }
int cuGraphUpload(Graph* exec, void* s) { return 0; }
/* What was recorded in the first stream goes to this one, the rest to where it was. */
int cuGraphLaunch(Graph* exec, Stream* s) {
    for (Step* step = exec->first; step; step = step->next) {
        Stream* stream = step->stream == exec->origin ? s : step->stream;
        if (step->record) cuEventRecord(step->record, stream);
        else if (step->await) cuStreamWaitEvent(stream, step->await, 0);
        else putWith(stream, step->work, step->copy, step->bytes);
    }
    return 0;
}

/* What is filled is copied behind itself, so that a gigabyte takes no second. */
static void fill(char* to, const void* value, size_t unit, size_t bytes) {
    size_t done = unit < bytes ? unit : bytes;
    memcpy(to, value, done);
    while (done < bytes) {
        size_t more = done < bytes - done ? done : bytes - done;
        memcpy(to + done, to, more);
        done += more;
    }
}
typedef struct { char *to; const char* from; size_t bytes; unsigned value; int unit; void* owned; } Copy;
static int copy(void* arg) {
    Copy* c = arg;
    if (!c->unit) memmove(c->to, c->from, c->bytes);
    else fill(c->to, &c->value, c->unit, c->bytes);
    free(c->owned);
    return 0;
}
static int putCopy(void* stream, void* to, const void* from, size_t bytes, unsigned value, int unit, void* owned) {
    Copy c = {to, from, bytes, value, unit, owned};
    putWith(stream, copy, &c, sizeof c);
    return 0;
}
/* Pageable host memory: like the driver, taken before the call returns, unless that is a step of a graph. */
int cuMemcpyHtoDAsync_v2(void* to, const void* from, size_t bytes, void* stream) {
    if (isRecorded(stream)) return putCopy(stream, to, from, bytes, 0, 0, 0);
    void* taken = malloc(bytes);
    memcpy(taken, from, bytes);
    return putCopy(stream, to, taken, bytes, 0, 0, taken);
}
int cuMemcpyDtoHAsync_v2(void* to, const void* from, size_t bytes, void* stream) { return putCopy(stream, to, from, bytes, 0, 0, 0); }
int cuMemcpyDtoDAsync_v2(void* to, const void* from, size_t bytes, void* stream) { return putCopy(stream, to, from, bytes, 0, 0, 0); }
int cuMemsetD8Async(void* to, unsigned char v, size_t n, void* s) { return putCopy(s, to, 0, n, v, 1, 0); }
int cuMemsetD16Async(void* to, unsigned short v, size_t n, void* s) { return putCopy(s, to, 0, n * 2, v, 2, 0); }
int cuMemsetD32Async(void* to, unsigned v, size_t n, void* s) { return putCopy(s, to, 0, n * 4, v, 4, 0); }
typedef struct { uint64_t *at, value; } Write;
static int writeValue(void* arg) {
    Write* w = arg;
    __atomic_store_n(w->at, w->value, __ATOMIC_RELEASE);
    return 0;
}
int cuStreamWriteValue64_v2(void* stream, uint64_t* at, uint64_t value, unsigned flags) {
    Write w = {at, value};
    putWith(stream, writeValue, &w, sizeof w);
    return 0;
}

/* A module has the kernels that the library exports as C functions of their names. They take an array of addresses of arguments, each of
 * 8 bytes; NAME_parameters is how many. */
typedef struct { void (*run)(void**); size_t parameters; } Function;
static long liveModules;
static void* exported(const char* name, const char* more) {
    char whole[128];
    Dl_info self;
    snprintf(whole, sizeof whole, "%s%s", name, more);
    dladdr((void*)cuInit, &self);
    void* library = dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    void* symbol = dlsym(library, whole);
    dlclose(library);
    return symbol;
}
int cuModuleLoadDataEx(void** module, const void* image, unsigned n, int* options, void** values) {
    CALL();
    lock();
    liveModules++;
    unlock();
    *module = malloc(1);
    return 0;
}
int cuModuleUnload(void* module) { lock(); liveModules--; unlock(); free(module); return 0; }
int cuModuleGetFunction(Function** function, void* module, const char* name) {
    int* parameters = exported(name, "_parameters");
    if (!parameters) return CUDA_NOT_FOUND;
    *function = malloc(sizeof **function);
    **function = (Function){exported(name, ""), *parameters};
    return 0;
}
int cuFuncGetAttribute(int* value, int attribute, void* function) { *value = attribute == 0 ? 1024 : 0; return 0; }
int cuFuncSetAttribute(void* function, int attribute, int value) { return 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads, size_t shared) { *blocks = 2; return 0; }
enum { MOST_PARAMETERS = 16 };
typedef struct { Function function; uint64_t values[MOST_PARAMETERS]; } Kernel;
static int runKernel(void* arg) {
    Kernel* kernel = arg;
    void* at[MOST_PARAMETERS];
    for (size_t i = 0; i < kernel->function.parameters; i++) at[i] = kernel->values + i;
    kernel->function.run(at);
    return 0;
}
/* Kernels of one thread. */
int cuLaunchKernelEx(const void* config, Function* function, void** parameters, void** extra) {
    CALL();
    if (noop) return 0;
    Kernel kernel = {.function = *function};
    for (size_t i = 0; i < function->parameters; i++) memcpy(kernel.values + i, parameters[i], 8);
    putWith(*(void* const*)((const char*)config + 32), runKernel, &kernel, sizeof kernel);
    return 0;
}

/* What tests set and ask of the driver; 0 if it is not the driver's. */
static int setDriver(const char* what, long value) {
    if (!strcmp(what, "noop")) noop = value;
    else if (!strcmp(what, "capability")) capability = value;
    else return 0;
    return 1;
}
static int getDriver(const char* what, long* value) {
    if (!strcmp(what, "bytes")) *value = liveBytes;
    else if (!strcmp(what, "streams")) *value = liveStreams;
    else if (!strcmp(what, "events")) *value = liveEvents;
    else if (!strcmp(what, "physical")) *value = livePhysical;
    else if (!strcmp(what, "loaded")) *value = liveModules;
    else return 0;
    return 1;
}
