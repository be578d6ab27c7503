// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// A CUDA driver with two devices and no GPU, for tests of what the Java side does with the driver: memory is malloc's, streams work at
// once, graphs replay. It is stricter than the real one: every call must find the right context current, every address must be inside of
// an allocation, and a call with a handle that is destroyed, or is destroyed before the call returns, ends the process. It counts calls
// and live objects, and fails when told to.

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  NO_BINARY = 209,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ALREADY_ENABLED = 704,
  DESTROYED = 709,
  ALREADY_REGISTERED = 712,
  NOT_REGISTERED = 713,
  CAPTURE_UNSUPPORTED = 900,
  CAPTURE_INVALIDATED = 901,
  CAPTURE_IMPLICIT = 906,
  UPDATE_FAILURE = 910
};

enum { DEVICES = 3 };
#define MEMORY ((size_t)1 << 30)

typedef struct context {
  int device;
  int retains;
  int peers;
  volatile int stalled;  // streams
  int captures;          // of its streams
  int disturbed;         // how often somebody waited for it during a capture
} context;

typedef struct stream stream;
typedef struct graph graph;
typedef struct pool pool;

typedef struct block {
  char *at;
  size_t bytes;
  int device;  // -1: the host's, pinned; -2: the same, where it was
  struct block *next;
  graph *owner;  // of what was allocated in a capture
  int freed;     // in that capture: the owner's end gives it back
  pool *from;    // which it was allocated from
} block;

typedef enum { COPY, SET, CALL, KERNEL } kind;

typedef struct operation {
  kind kind;
  char *to;
  const char *from;
  size_t bytes;
  unsigned value;
  int unit;
  void (*function)(void *);
  void *argument;
  int count;
  float factor;
  struct module *code;
} operation;

typedef struct user_object {
  void *argument;
  void (*destroy)(void *);
  int references;
} user_object;

struct graph {
  int references;  // itself and what was instantiated from it
  size_t count;
  operation operations[256];
  user_object *objects[16];
  int object_count;
};

typedef struct executable {
  graph *source;
} executable;

struct stream {
  context *context;
  int priority;
  volatile int stalled;
  graph *capture;
  int invalid;    // the capture: somebody asked for what cannot be answered before a launch
  int disturbed;  // the context, before the capture
};

typedef struct event {
  context *context;
  int timing;
  int recorded;
  stream *in;
  struct timespec time;
} event;

struct pool {
  context *context;
  size_t used;
  int is_default;
  int peers;
  uint64_t threshold;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static context contexts[DEVICES] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
static stream legacy[DEVICES];
static pool pools[DEVICES];
static __thread context *current;
static block *blocks;
static size_t used[DEVICES];
static long live;

// ---- handles ----

typedef enum { STREAM = 0x5712ea31, EVENT, POOL, GRAPH, EXECUTABLE, MODULE, LIBRARY } sort;

// Before each object. The destroyed ones stay for a while, so that a new one is not taken for them.
typedef struct head { long sort, padding; } head;
enum { BURIED = 4096 };
static void *buried[BURIED];
static int burials;

static void *make(sort is, size_t bytes) {
  head *h = calloc(1, sizeof *h + bytes);
  h->sort = is;
  live++;
  return h + 1;
}

static void use(const char *function, const char *name, sort is, const void *object) {
  if (((const head *)object)[-1].sort == (long)is) return;
  fprintf(stderr, "%s: %s is destroyed, or was no such handle\n", function, name);
  abort();
}

#define USE(is, object) use(__func__, #is, is, object)

// The handle is no more.
static void destroy(void *object) {
  ((head *)object)[-1].sort = 0;
  live--;
}

// The memory behind it is needed no more.
static void bury(void *object) {
  void **place = &buried[burials++ % BURIED];
  if (*place) free((head *)*place - 1);
  *place = object;
}

// ---- what tests ask and order ----

enum { NAMES = 256 };
static struct {
  const char *name;
  long calls;
} counts[NAMES];
static char failing[64];
static int failure;
static int spared;

long stub_calls(const char *name) {
  pthread_mutex_lock(&lock);
  long calls = 0;
  for (int i = 0; i < NAMES && counts[i].name; i++)
    if (!*name || strcmp(counts[i].name, name) == 0) calls += counts[i].calls;
  pthread_mutex_unlock(&lock);
  return calls;
}

// The call of this name after the next `after` ones returns `status`, once.
void stub_fail(const char *name, int status, int after) {
  pthread_mutex_lock(&lock);
  snprintf(failing, sizeof failing, "%s", name);
  failure = status;
  spared = after;
  pthread_mutex_unlock(&lock);
}

// Objects and allocations that were made and not given back; contexts count for each time that they are retained.
long stub_live(void) {
  pthread_mutex_lock(&lock);
  long result = live;
  pthread_mutex_unlock(&lock);
  return result;
}

// A stalled stream is not done, also when it is destroyed: its memory remains.
void stub_stall(stream *s, int stalled) {
  __atomic_add_fetch(&s->context->stalled, stalled - s->stalled, __ATOMIC_SEQ_CST);
  s->stalled = stalled;
}

static int wait_while(volatile int *stalled) {
  while (*stalled) usleep(100);
  return SUCCESS;
}

// Calls take their time before they look at what they got: others can destroy it.
static volatile int dawdling;
void stub_dawdle(int on) { dawdling = on; }

static void dawdle(void) {
  static __thread unsigned turn;
  if (!dawdling) return;
  turn = turn * 1664525 + 1013904223;
  if ((turn >> 24) % 32 == 0)
    usleep(50);
  else if ((turn >> 24) % 4 == 0)
    sched_yield();
}

// What other libraries do: changes the context behind our back.
void stub_disturb(void) { current = NULL; }

int stub_current(void) { return current ? current->device : -1; }

static int enter(const char *name) {
  dawdle();
  pthread_mutex_lock(&lock);
  for (int i = 0; i < NAMES; i++) {
    if (!counts[i].name) counts[i].name = name;
    if (strcmp(counts[i].name, name) == 0) {
      counts[i].calls++;
      break;
    }
  }
  int status = SUCCESS;
  if (failure && strcmp(failing, name) == 0 && spared-- == 0) {
    status = failure;
    failure = 0;
  }
  return status;
}

static int leave(int status) {
  pthread_mutex_unlock(&lock);
  return status;
}

#define ENTER(name)                       \
  int status = enter(name);               \
  if (status != SUCCESS) return leave(status)
#define NEEDS(condition, otherwise) \
  if (!(condition)) return leave(otherwise)
#define NEEDS_CONTEXT NEEDS(current && current->retains > 0, INVALID_CONTEXT)

static stream *resolve(stream *s) { return (uintptr_t)s <= 1 ? &legacy[current->device] : s; }

#define NEEDS_STREAM(s)                   \
  NEEDS_CONTEXT;                          \
  if ((uintptr_t)(s) <= 1) {              \
    (s) = resolve(s);                     \
    (s)->context = current;               \
  } else {                                \
    USE(STREAM, s);                       \
  }                                       \
  NEEDS((s)->context == current, INVALID_CONTEXT)

// ---- memory ----

static block *find(const void *at, size_t bytes) {
  for (block *b = blocks; b; b = b->next)
    if ((const char *)at >= b->at && (const char *)at + bytes <= b->at + b->bytes) return b;
  return NULL;
}

static int allocate(void **result, size_t bytes, int device) {
  if (bytes == 0) return INVALID_VALUE;
  if (device >= 0 && (bytes > MEMORY || used[device] + bytes > MEMORY)) return OUT_OF_MEMORY;
  block *b = malloc(sizeof *b);
  if (posix_memalign((void **)&b->at, 512, bytes)) return OUT_OF_MEMORY;
  memset(b->at, 0xa5, bytes);
  b->bytes = bytes;
  b->device = device;
  b->owner = NULL;
  b->freed = 0;
  b->from = NULL;
  b->next = blocks;
  blocks = b;
  if (device >= 0) used[device] += bytes;
  live++;
  *result = b->at;
  return SUCCESS;
}

// Memory that was freed stays for a while, so that work which still uses it is noticed.
enum { FREED = 1024 };
static struct { char *at; size_t bytes; } freed[FREED];
static int frees;

static void free_memory(char *at, size_t bytes) {
  if (freed[frees % FREED].at) free(freed[frees % FREED].at);
  freed[frees % FREED].at = at;
  freed[frees++ % FREED].bytes = bytes;
}

static void use_memory(const char *work, const char *at, size_t bytes) {
  for (int i = 0; i < FREED && freed[i].at; i++) {
    if (at < freed[i].at + freed[i].bytes && freed[i].at < at + bytes) {
      fprintf(stderr, "a %s uses %p, which is freed\n", work, (const void *)at);
      abort();
    }
  }
}

static int release(void *at) {
  for (block **link = &blocks; *link; link = &(*link)->next) {
    block *b = *link;
    if (b->at == at) {
      *link = b->next;
      if (b->device >= 0) used[b->device] -= b->bytes;
      if (b->device >= -1) free_memory(b->at, b->bytes);
      free(b);
      live--;
      return SUCCESS;
    }
  }
  return INVALID_VALUE;
}

int cuMemAlloc_v2(void **result, size_t bytes) {
  ENTER("cuMemAlloc");
  NEEDS_CONTEXT;
  return leave(allocate(result, bytes, current->device));
}

int cuMemFree_v2(void *at) {
  ENTER("cuMemFree");
  NEEDS_CONTEXT;
  return leave(release(at));
}

int cuMemHostAlloc(void **result, size_t bytes, unsigned flags) {
  ENTER("cuMemHostAlloc");
  (void)flags;
  NEEDS_CONTEXT;
  return leave(allocate(result, bytes, -1));
}

int cuMemFreeHost(void *at) {
  ENTER("cuMemFreeHost");
  NEEDS_CONTEXT;
  return leave(release(at));
}

int cuMemHostRegister_v2(char *at, size_t bytes, unsigned flags) {
  ENTER("cuMemHostRegister");
  NEEDS_CONTEXT;
  NEEDS(at && bytes && flags == 3, INVALID_VALUE);
  for (block *b = blocks; b; b = b->next) {
    // Whole pages.
    uintptr_t first = (uintptr_t)b->at >> 12, last = (uintptr_t)(b->at + b->bytes - 1) >> 12;
    NEEDS(b->device >= 0 || last < (uintptr_t)at >> 12 || first > (uintptr_t)(at + bytes - 1) >> 12, ALREADY_REGISTERED);
  }
  block *b = malloc(sizeof *b);
  *b = (block){.at = at, .bytes = bytes, .device = -2, .next = blocks};
  blocks = b;
  live++;
  return leave(SUCCESS);
}

int cuMemHostUnregister(char *at) {
  ENTER("cuMemHostUnregister");
  NEEDS_CONTEXT;
  for (block *b = blocks; b; b = b->next)
    if (b->at == at && b->device == -2) return leave(release(at));
  return leave(NOT_REGISTERED);
}

int cuMemGetInfo_v2(size_t *available, size_t *total) {
  ENTER("cuMemGetInfo");
  NEEDS_CONTEXT;
  *available = MEMORY - used[current->device];
  *total = MEMORY;
  return leave(SUCCESS);
}

int cuPointerGetAttribute(void *data, int attribute, void *at) {
  ENTER("cuPointerGetAttribute");
  NEEDS_CONTEXT;
  block *b = find(at, 1);
  NEEDS(b, INVALID_VALUE);
  switch (attribute) {
    case 2: *(int *)data = b->device < 0 ? 1 : 2; break;
    case 8: *(int *)data = 0; break;
    case 9: *(int *)data = b->device; break;
    case 17:
      NEEDS(b->from, INVALID_VALUE);
      *(pool **)data = b->from;
      break;
    default: return leave(INVALID_VALUE);
  }
  return leave(SUCCESS);
}

// ---- work ----

static void run(const operation *o) {
  switch (o->kind) {
    case COPY:
      use_memory("copy", o->to, o->bytes);
      use_memory("copy", o->from, o->bytes);
      memmove(o->to, o->from, o->bytes);
      break;
    case SET:
      use_memory("fill", o->to, o->bytes);
      for (size_t i = 0; i < o->bytes; i += o->unit) memcpy(o->to + i, &o->value, o->unit);
      break;
    case KERNEL:
      use_memory("kernel", o->to, o->count * sizeof(float));
      for (int i = 0; i < o->count; i++) ((float *)o->to)[i] *= o->factor;
      break;
    case CALL:
      pthread_mutex_unlock(&lock);
      o->function(o->argument);
      pthread_mutex_lock(&lock);
      break;
  }
}

static int put(stream *s, operation o) {
  if (s->invalid) return CAPTURE_INVALIDATED;
  if (!s->capture) {
    run(&o);
  } else {
    if (s->capture->count == 256) return OUT_OF_MEMORY;
    s->capture->operations[s->capture->count++] = o;
  }
  return SUCCESS;
}

static int copy(stream *s, void *to, const void *from, size_t bytes) {
  return put(s, (operation){.kind = COPY, .to = to, .from = from, .bytes = bytes});
}

int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t bytes, stream *s) {
  ENTER("cuMemcpyHtoDAsync");
  NEEDS_STREAM(s);
  NEEDS(find(to, bytes) && find(to, bytes)->device == s->context->device, INVALID_VALUE);
  return leave(copy(s, to, from, bytes));
}

int cuMemcpyDtoHAsync_v2(void *to, const void *from, size_t bytes, stream *s) {
  ENTER("cuMemcpyDtoHAsync");
  NEEDS_STREAM(s);
  NEEDS(find(from, bytes) && find(from, bytes)->device == s->context->device, INVALID_VALUE);
  return leave(copy(s, to, from, bytes));
}

int cuMemcpyDtoDAsync_v2(void *to, const void *from, size_t bytes, stream *s) {
  ENTER("cuMemcpyDtoDAsync");
  NEEDS_STREAM(s);
  NEEDS(find(to, bytes) && find(from, bytes), INVALID_VALUE);
  return leave(copy(s, to, from, bytes));
}

int cuMemcpyPeerAsync(void *to, context *there, const void *from, context *here, size_t bytes, stream *s) {
  ENTER("cuMemcpyPeerAsync");
  NEEDS_STREAM(s);
  block *target = find(to, bytes), *source = find(from, bytes);
  NEEDS(target && source && target->device == there->device && source->device == here->device, INVALID_VALUE);
  return leave(copy(s, to, from, bytes));
}

static int set(stream *s, char *to, unsigned value, int unit, size_t count) {
  if (!find(to, count * unit) || (uintptr_t)to % unit) return INVALID_VALUE;
  return put(s, (operation){.kind = SET, .to = to, .value = value, .unit = unit, .bytes = count * unit});
}

int cuMemsetD8Async(char *to, unsigned char value, size_t count, stream *s) {
  ENTER("cuMemsetD8Async");
  NEEDS_STREAM(s);
  return leave(set(s, to, value, 1, count));
}

int cuMemsetD16Async(char *to, unsigned short value, size_t count, stream *s) {
  ENTER("cuMemsetD16Async");
  NEEDS_STREAM(s);
  return leave(set(s, to, value, 2, count));
}

int cuMemsetD32Async(char *to, unsigned value, size_t count, stream *s) {
  ENTER("cuMemsetD32Async");
  NEEDS_STREAM(s);
  return leave(set(s, to, value, 4, count));
}

int cuLaunchHostFunc(stream *s, void (*function)(void *), void *argument) {
  ENTER("cuLaunchHostFunc");
  NEEDS_STREAM(s);
  return leave(put(s, (operation){.kind = CALL, .function = function, .argument = argument}));
}

// ---- the driver and its devices ----

int cuInit(unsigned flags) {
  ENTER("cuInit");
  return leave(flags == 0 ? SUCCESS : INVALID_VALUE);
}

int cuDriverGetVersion(int *version) {
  *version = 13000;
  return SUCCESS;
}

int cuGetErrorName(int status, const char **text) {
  *text = status == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_STUB";
  return SUCCESS;
}

int cuGetErrorString(int status, const char **text) {
  *text = status == OUT_OF_MEMORY ? "out of memory" : "an error of the stub";
  return SUCCESS;
}

int cuDeviceGetCount(int *count) {
  ENTER("cuDeviceGetCount");
  *count = DEVICES;
  return leave(SUCCESS);
}

int cuDeviceGet(int *device, int ordinal) {
  ENTER("cuDeviceGet");
  NEEDS(ordinal >= 0 && ordinal < DEVICES, INVALID_DEVICE);
  *device = ordinal;
  return leave(SUCCESS);
}

int cuDeviceGetName(char *name, int bytes, int device) {
  snprintf(name, bytes, "Stub %d", device);
  return SUCCESS;
}

int cuDeviceGetPCIBusId(char *id, int bytes, int device) {
  snprintf(id, bytes, "0000:%02x:00.0", device + 1);
  return SUCCESS;
}

int cuDeviceGetUuid_v2(unsigned char uuid[16], int device) {
  for (int i = 0; i < 16; i++) uuid[i] = 16 * device + i;
  return SUCCESS;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  ENTER("cuDeviceGetAttribute");
  (void)device;
  switch (attribute) {
    case 1: *value = 1024; break;       // threads of a block
    case 8: *value = 48 << 10; break;   // shared memory of a block
    case 10: *value = 32; break;        // warp
    case 16: *value = 4; break;         // multiprocessors
    case 75: *value = 9; break;         // compute capability
    case 76: *value = 0; break;
    case 95: *value = 1; break;         // cooperative launch
    case 97: *value = 227 << 10; break; // shared memory on request
    case 103: *value = 1; break;        // memory with file descriptors
    case 115: *value = 1; break;        // memory pools
    case 120: *value = 1; break;        // clusters
    default: *value = 0;
  }
  return leave(SUCCESS);
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  (void)device;
  *bytes = MEMORY;
  return SUCCESS;
}

int cuDeviceCanAccessPeer(int *can, int device, int peer) {
  *can = device != peer;
  return SUCCESS;
}

int cuDevicePrimaryCtxRetain(context **result, int device) {
  ENTER("cuDevicePrimaryCtxRetain");
  contexts[device].retains++;
  live++;
  *result = &contexts[device];
  return leave(SUCCESS);
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  ENTER("cuDevicePrimaryCtxRelease");
  NEEDS(contexts[device].retains > 0, INVALID_CONTEXT);
  contexts[device].retains--;
  live--;
  return leave(SUCCESS);
}

int cuCtxSetCurrent(context *c) {
  ENTER("cuCtxSetCurrent");
  NEEDS(!c || c->retains > 0, DESTROYED);
  current = c;
  return leave(SUCCESS);
}

int cuCtxSynchronize(void) {
  ENTER("cuCtxSynchronize");
  NEEDS_CONTEXT;
  if (current->captures > 0) {
    current->disturbed++;
    return leave(CAPTURE_UNSUPPORTED);
  }
  leave(SUCCESS);
  return wait_while(&current->stalled);
}

int cuCtxEnablePeerAccess(context *peer, unsigned flags) {
  ENTER("cuCtxEnablePeerAccess");
  NEEDS_CONTEXT;
  NEEDS(flags == 0 && peer != current, INVALID_VALUE);
  NEEDS(!(current->peers & 1 << peer->device), ALREADY_ENABLED);
  current->peers |= 1 << peer->device;
  return leave(SUCCESS);
}

int cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  ENTER("cuCtxGetStreamPriorityRange");
  NEEDS_CONTEXT;
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return leave(SUCCESS);
}

// ---- streams and events ----

int cuStreamCreateWithPriority(stream **result, unsigned flags, int priority) {
  ENTER("cuStreamCreateWithPriority");
  NEEDS_CONTEXT;
  NEEDS(flags == 1, INVALID_VALUE);
  stream *s = make(STREAM, sizeof *s);
  s->context = current;
  s->priority = priority < -5 ? -5 : priority > 0 ? 0 : priority;
  *result = s;
  return leave(SUCCESS);
}

int cuStreamDestroy_v2(stream *s) {
  ENTER("cuStreamDestroy");
  NEEDS_CONTEXT;
  USE(STREAM, s);
  if (s->capture) s->context->captures--;
  destroy(s);
  return leave(SUCCESS);
}

int cuStreamGetPriority(stream *s, int *priority) {
  ENTER("cuStreamGetPriority");
  NEEDS_STREAM(s);
  *priority = s->priority;
  return leave(SUCCESS);
}

int cuStreamGetCtx(stream *s, context **result) {
  ENTER("cuStreamGetCtx");
  USE(STREAM, s);
  *result = s->context;
  return leave(SUCCESS);
}

// By this thread, which must not call what could wait meanwhile (CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).
static _Thread_local stream *recorded;

// The work before a capture cannot be asked for, by nobody, until the capture has ended.
static int disturb(stream *s) {
  s->invalid = 1;
  return CAPTURE_UNSUPPORTED;
}

int cuStreamQuery(stream *s) {
  ENTER("cuStreamQuery");
  NEEDS_STREAM(s);
  NEEDS(!s->capture, disturb(s));
  return leave(s->stalled ? NOT_READY : SUCCESS);
}

int cuStreamSynchronize(stream *s) {
  ENTER("cuStreamSynchronize");
  NEEDS_STREAM(s);
  NEEDS(!s->capture, disturb(s));
  leave(SUCCESS);
  wait_while(&s->stalled);
  if (s != resolve(0)) USE(STREAM, s);
  return SUCCESS;
}

int cuStreamWaitEvent(stream *s, event *e, unsigned flags) {
  ENTER("cuStreamWaitEvent");
  NEEDS_STREAM(s);
  NEEDS(e && flags == 0, INVALID_VALUE);
  USE(EVENT, e);
  return leave(SUCCESS);
}

int cuEventCreate(event **result, unsigned flags) {
  ENTER("cuEventCreate");
  NEEDS_CONTEXT;
  event *e = make(EVENT, sizeof *e);
  e->context = current;
  e->timing = !(flags & 2);
  *result = e;
  return leave(SUCCESS);
}

int cuEventDestroy_v2(event *e) {
  ENTER("cuEventDestroy");
  USE(EVENT, e);
  destroy(e);
  bury(e);
  return leave(SUCCESS);
}

int cuEventRecord(event *e, stream *s) {
  ENTER("cuEventRecord");
  NEEDS_STREAM(s);
  USE(EVENT, e);
  NEEDS(e->context == s->context, INVALID_HANDLE);
  e->recorded = 1;
  e->in = s;
  clock_gettime(CLOCK_MONOTONIC, &e->time);
  return leave(SUCCESS);
}

int cuEventQuery(event *e) {
  ENTER("cuEventQuery");
  USE(EVENT, e);
  return leave(e->recorded && e->in->stalled ? NOT_READY : SUCCESS);
}

int cuEventSynchronize(event *e) {
  ENTER("cuEventSynchronize");
  USE(EVENT, e);
  leave(SUCCESS);
  if (e->recorded) wait_while(&e->in->stalled);
  USE(EVENT, e);
  return SUCCESS;
}

int cuEventElapsedTime_v2(float *millis, event *start, event *end) {
  ENTER("cuEventElapsedTime");
  USE(EVENT, start);
  USE(EVENT, end);
  NEEDS(start->timing && end->timing && start->recorded && end->recorded, INVALID_HANDLE);
  *millis = (end->time.tv_sec - start->time.tv_sec) * 1e3f + (end->time.tv_nsec - start->time.tv_nsec) * 1e-6f;
  return leave(SUCCESS);
}

// ---- graphs ----

int cuStreamIsCapturing(stream *s, int *answer) {
  ENTER("cuStreamIsCapturing");
  NEEDS_STREAM(s);
  *answer = s->invalid ? 2 : s->capture != NULL;
  return leave(SUCCESS);
}

int cuStreamGetCaptureInfo_v3(stream *s, int *answer, uint64_t *id, graph **g, void *d, void *e, size_t *n) {
  (void)id, (void)d, (void)e, (void)n;
  ENTER("cuStreamGetCaptureInfo");
  NEEDS_STREAM(s);
  *answer = s->invalid ? 2 : s->capture != NULL;
  if (g) *g = s->capture;
  return leave(SUCCESS);
}

int cuStreamBeginCapture_v2(stream *s, int mode) {
  ENTER("cuStreamBeginCapture");
  NEEDS_STREAM(s);
  NEEDS(s != &legacy[current->device] && !s->capture, CAPTURE_UNSUPPORTED);
  s->capture = make(GRAPH, sizeof(graph));
  s->capture->references = 1;
  s->disturbed = s->context->disturbed;
  s->context->captures++;
  if (mode == 1) recorded = s;
  return leave(SUCCESS);
}

static void drop(user_object *o) {
  if (--o->references > 0) return;
  pthread_mutex_unlock(&lock);
  o->destroy(o->argument);
  pthread_mutex_lock(&lock);
  live--;
  free(o);
}

static void forget(graph *g) {
  if (--g->references > 0) return;
  for (int i = 0; i < g->object_count; i++) drop(g->objects[i]);
  for (block *b = blocks, *next; b; b = next) {
    next = b->next;
    if (b->owner == g && b->freed) release(b->at);
  }
  bury(g);
}

int cuStreamEndCapture(stream *s, graph **result) {
  ENTER("cuStreamEndCapture");
  NEEDS_STREAM(s);
  NEEDS(s->capture, CAPTURE_IMPLICIT);
  *result = s->capture;
  s->capture = NULL;
  s->context->captures--;
  if (recorded == s) recorded = NULL;
  if (s->invalid || s->disturbed != s->context->disturbed) {
    s->invalid = 0;
    destroy(*result);
    forget(*result);
    *result = NULL;
    return leave(CAPTURE_INVALIDATED);
  }
  return leave(SUCCESS);
}

int cuGraphDestroy(graph *g) {
  ENTER("cuGraphDestroy");
  USE(GRAPH, g);
  destroy(g);
  forget(g);
  return leave(SUCCESS);
}

int cuGraphGetNodes(graph *g, void *nodes, size_t *count) {
  ENTER("cuGraphGetNodes");
  USE(GRAPH, g);
  NEEDS(!nodes, INVALID_VALUE);
  *count = g->count;
  return leave(SUCCESS);
}

// The real driver reads the functions of kernels there.
#define USE_CODE(g) \
  for (size_t i = 0; i < (g)->count; i++) \
    if ((g)->operations[i].kind == KERNEL) USE(MODULE, (g)->operations[i].code)

int cuGraphInstantiateWithFlags(executable **result, graph *g, unsigned long long flags) {
  ENTER("cuGraphInstantiate");
  NEEDS(flags == 0, INVALID_VALUE);
  USE(GRAPH, g);
  USE_CODE(g);
  *result = make(EXECUTABLE, sizeof **result);
  (*result)->source = g;
  g->references++;
  return leave(SUCCESS);
}

int cuGraphExecDestroy(executable *x) {
  ENTER("cuGraphExecDestroy");
  USE(EXECUTABLE, x);
  forget(x->source);
  destroy(x);
  bury(x);
  return leave(SUCCESS);
}

int cuGraphLaunch(executable *x, stream *s) {
  ENTER("cuGraphLaunch");
  NEEDS_STREAM(s);
  USE(EXECUTABLE, x);
  for (size_t i = 0; i < x->source->count && status == SUCCESS; i++) status = put(s, x->source->operations[i]);
  return leave(status);
}

int cuGraphUpload(executable *x, stream *s) {
  ENTER("cuGraphUpload");
  NEEDS_STREAM(s);
  USE(EXECUTABLE, x);
  USE_CODE(x->source);
  return leave(SUCCESS);
}

typedef struct update_result {
  int result;
  void *node, *from;
} update_result;

int cuGraphExecUpdate_v2(executable *x, graph *g, update_result *info) {
  ENTER("cuGraphExecUpdate");
  USE(EXECUTABLE, x);
  USE(GRAPH, g);
  USE_CODE(g);
  USE_CODE(x->source);
  int same = x->source->count == g->count;
  for (size_t i = 0; same && i < g->count; i++) same = x->source->operations[i].kind == g->operations[i].kind;
  if (!same) {
    info->result = 2;  // the topology changed
    return leave(UPDATE_FAILURE);
  }
  forget(x->source);
  x->source = g;
  g->references++;
  return leave(SUCCESS);
}

int cuUserObjectCreate(user_object **result, void *argument, void (*destroy)(void *), unsigned count, unsigned flags) {
  ENTER("cuUserObjectCreate");
  NEEDS(flags == 1 && count == 1, INVALID_VALUE);
  user_object *o = malloc(sizeof *o);
  *o = (user_object){argument, destroy, 1};
  *result = o;
  live++;
  return leave(SUCCESS);
}

int cuGraphRetainUserObject(graph *g, user_object *o, unsigned count, unsigned flags) {
  ENTER("cuGraphRetainUserObject");
  NEEDS(flags == 1 && count == 1 && g->object_count < 16, INVALID_VALUE);
  g->objects[g->object_count++] = o;
  return leave(SUCCESS);
}

// ---- memory with addresses of its own ----

enum { GRANULARITY = 2 << 20 };
typedef struct { size_t bytes; int device, references; } physical;
// A reserved address, what is mapped there, and which devices may use it.
typedef struct range { char *at; size_t bytes; physical *mapped; int open; struct range *next; } range;
static range *ranges;

static range *rangeOf(const void *at) {
  for (range *r = ranges; r; r = r->next)
    if ((const char *)at >= r->at && (const char *)at < r->at + r->bytes) return r;
  return NULL;
}

static void letGo(physical *p) {
  if (--p->references == 0) {
    used[p->device] -= p->bytes;
    live--;
    free(p);
  }
}

// CUmemAllocationProp: type, handle types, location.
int cuMemGetAllocationGranularity(size_t *result, const int *prop, int option) {
  ENTER("cuMemGetAllocationGranularity");
  NEEDS(prop[0] == 1 && prop[2] == 1 && option <= 1, INVALID_VALUE);
  *result = GRANULARITY;
  return leave(SUCCESS);
}

int cuMemCreate(physical **result, size_t bytes, const int *prop, uint64_t flags) {
  ENTER("cuMemCreate");
  NEEDS_CONTEXT;
  NEEDS(prop[0] == 1 && prop[1] == 1 && prop[2] == 1 && bytes && bytes % GRANULARITY == 0 && !flags, INVALID_VALUE);
  NEEDS(bytes <= MEMORY && used[prop[3]] + bytes <= MEMORY, OUT_OF_MEMORY);
  *result = malloc(sizeof **result);
  **result = (physical){bytes, prop[3], 1};
  used[prop[3]] += bytes;
  live++;
  return leave(SUCCESS);
}

int cuMemRelease(physical *p) {
  ENTER("cuMemRelease");
  letGo(p);
  return leave(SUCCESS);
}

int cuMemAddressReserve(char **result, size_t bytes, size_t alignment, void *wish, uint64_t flags) {
  ENTER("cuMemAddressReserve");
  NEEDS(bytes && bytes % GRANULARITY == 0 && !wish && !flags, INVALID_VALUE);
  range *r = calloc(1, sizeof *r);
  if (posix_memalign((void **)&r->at, alignment < GRANULARITY ? GRANULARITY : alignment, bytes)) return leave(OUT_OF_MEMORY);
  r->bytes = bytes;
  r->next = ranges;
  ranges = r;
  live++;
  *result = r->at;
  return leave(SUCCESS);
}

int cuMemAddressFree(char *at, size_t bytes) {
  ENTER("cuMemAddressFree");
  for (range **link = &ranges; *link; link = &(*link)->next) {
    range *r = *link;
    if (r->at == at && r->bytes == bytes && !r->mapped) {
      *link = r->next;
      free(r->at);
      free(r);
      live--;
      return leave(SUCCESS);
    }
  }
  return leave(INVALID_VALUE);
}

int cuMemMap(char *at, size_t bytes, size_t offset, physical *p, uint64_t flags) {
  ENTER("cuMemMap");
  range *r = rangeOf(at);
  NEEDS(r && r->at == at && r->bytes == bytes && !r->mapped && p->bytes == bytes && !offset && !flags, INVALID_VALUE);
  r->mapped = p;
  p->references++;
  return leave(SUCCESS);
}

int cuMemUnmap(char *at, size_t bytes) {
  ENTER("cuMemUnmap");
  range *r = rangeOf(at);
  NEEDS(r && r->at == at && r->bytes == bytes && r->mapped, INVALID_VALUE);
  for (block **link = &blocks; *link; link = &(*link)->next) {
    block *b = *link;
    if (b->at == at) {
      *link = b->next;
      free(b);
      break;
    }
  }
  letGo(r->mapped);
  r->mapped = NULL;
  r->open = 0;
  return leave(SUCCESS);
}

// Memory is there for the rest of the stub when its own device may use it.
int cuMemSetAccess(char *at, size_t bytes, const int *access, size_t count) {
  ENTER("cuMemSetAccess");
  range *r = rangeOf(at);
  NEEDS(r && r->at == at && r->bytes == bytes && r->mapped && count == 1 && access[0] == 1 && access[2] == 3, INVALID_VALUE);
  if (access[1] == r->mapped->device && !(r->open & 1 << access[1])) {
    memset(at, 0xa5, bytes);
    block *b = malloc(sizeof *b);
    *b = (block){.at = at, .bytes = bytes, .device = access[1], .next = blocks};
    blocks = b;
  }
  r->open |= 1 << access[1];
  return leave(SUCCESS);
}

int cuMemGetAccess(uint64_t *flags, const int *location, void *at) {
  ENTER("cuMemGetAccess");
  range *r = rangeOf(at);
  NEEDS(r && r->mapped && location[0] == 1, INVALID_VALUE);
  *flags = r->open & 1 << location[1] ? 3 : 0;
  return leave(SUCCESS);
}

int cuMemGetAddressRange_v2(void **base, size_t *bytes, void *at) {
  ENTER("cuMemGetAddressRange");
  block *b = find(at, 1);
  NEEDS(b && b->device >= 0, NOT_FOUND);
  if (base) *base = b->at;
  if (bytes) *bytes = b->bytes;
  return leave(SUCCESS);
}

int cuMemRetainAllocationHandle(physical **result, void *at) {
  ENTER("cuMemRetainAllocationHandle");
  range *r = rangeOf(at);
  NEEDS(r && r->mapped, INVALID_VALUE);
  r->mapped->references++;
  *result = r->mapped;
  return leave(SUCCESS);
}

// ---- pools ----

int cuDeviceGetDefaultMemPool(pool **result, int device) {
  pools[device].context = &contexts[device];
  pools[device].is_default = 1;
  *result = &pools[device];
  return SUCCESS;
}

int cuMemPoolCreate(pool **result, const int *properties) {
  ENTER("cuMemPoolCreate");
  NEEDS_CONTEXT;
  NEEDS(properties[0] == 1 && properties[2] == 1 && properties[3] == current->device, INVALID_VALUE);
  *result = make(POOL, sizeof **result);
  (*result)->context = current;
  return leave(SUCCESS);
}

int cuMemPoolDestroy(pool *p) {
  ENTER("cuMemPoolDestroy");
  USE(POOL, p);
  for (block *b = blocks; b; b = b->next)
    if (b->from == p) b->from = NULL;
  destroy(p);
  bury(p);
  return leave(SUCCESS);
}

#define USE_POOL(p) if (!(p)->is_default) USE(POOL, p)

int cuMemPoolTrimTo(pool *p, size_t bytes) {
  (void)bytes;
  ENTER("cuMemPoolTrimTo");
  USE_POOL(p);
  return leave(SUCCESS);
}

int cuMemPoolGetAttribute(pool *p, int attribute, uint64_t *value) {
  ENTER("cuMemPoolGetAttribute");
  USE_POOL(p);
  *value = attribute == 4 ? p->threshold : used[p->context->device];
  return leave(SUCCESS);
}

int cuMemPoolSetAttribute(pool *p, int attribute, uint64_t *value) {
  ENTER("cuMemPoolSetAttribute");
  USE_POOL(p);
  if (attribute == 4) p->threshold = *value;
  return leave(attribute == 4 || attribute <= 3 || ((attribute == 6 || attribute == 8) && !*value) ? SUCCESS : INVALID_VALUE);
}

int cuMemPoolSetAccess(pool *p, const int *access, size_t count) {
  ENTER("cuMemPoolSetAccess");
  USE_POOL(p);
  NEEDS(count == 1 && access[0] == 1 && access[1] != p->context->device && (access[2] == 3 || !access[2]), INVALID_VALUE);
  p->peers = access[2] ? p->peers | 1 << access[1] : p->peers & ~(1 << access[1]);
  return leave(SUCCESS);
}

int cuMemPoolGetAccess(int *flags, pool *p, const int *location) {
  ENTER("cuMemPoolGetAccess");
  USE_POOL(p);
  NEEDS(location[0] == 1, INVALID_VALUE);
  *flags = location[1] == p->context->device || p->peers & 1 << location[1] ? 3 : 0;
  return leave(SUCCESS);
}

int cuMemAllocFromPoolAsync(void **result, size_t bytes, pool *p, stream *s) {
  ENTER("cuMemAllocFromPoolAsync");
  NEEDS_STREAM(s);
  USE_POOL(p);
  NEEDS(p->context == current, INVALID_VALUE);
  status = allocate(result, bytes, current->device);
  if (status == SUCCESS) {
    block *b = find(*result, 1);
    b->owner = s->capture;
    b->from = p;
  }
  return leave(status);
}

// A graph frees its own memory only.
int cuMemFreeAsync(void *at, stream *s) {
  ENTER("cuMemFreeAsync");
  NEEDS_STREAM(s);
  if (s->capture) {
    block *b = find(at, 1);
    NEEDS(b && b->owner == s->capture && !b->freed, INVALID_VALUE);
    b->freed = 1;
    return leave(SUCCESS);
  }
  NEEDS(!recorded, disturb(recorded));
  return leave(release(at));
}

// ---- one module: void scale(float *x, int n, float factor), float table[4] ----

static const size_t parameter_bytes[] = {8, 4, 4};
static const char *const kernel_names[] = {"scale", "unscale"};

typedef struct module {
  context *context;
  void *table;
  int shared;  // that a block may ask for
} module;

// What a library has on each device; code that says "only" a device is for that one.
typedef struct library {
  int only;
  module *modules[DEVICES];
} library;

// A kernel, and what it becomes in the current context.
typedef struct kernel {
  library *library;
  const char *name;
} kernel;

static kernel kernels[2];

static int loads(const char *image, unsigned count, int *options, void **values) {
  if (count != 2 || options[0] != 5 || options[1] != 6) return INVALID_VALUE;
  if (strstr(image, "endless")) {
    memset(values[0], 'x', (size_t)values[1]);
    return 218;
  }
  if (strstr(image, "broken")) {
    snprintf(values[0], (size_t)values[1], "line 3: it is broken");
    return 218;
  }
  return SUCCESS;
}

static int module_new(module **result) {
  *result = make(MODULE, sizeof **result);
  (*result)->context = current;
  (*result)->shared = 48 << 10;
  return allocate(&(*result)->table, 16, current->device);
}

static void module_delete(module *m) {
  release(m->table);
  destroy(m);
  bury(m);
}

int cuModuleLoadDataEx(module **result, const char *image, unsigned count, int *options, void **values) {
  ENTER("cuModuleLoadDataEx");
  NEEDS_CONTEXT;
  int loaded = loads(image, count, options, values);
  NEEDS(loaded == SUCCESS, loaded);
  NEEDS(!strstr(image, "only 1") || current->device == 1, NO_BINARY);
  return leave(module_new(result));
}

int cuModuleUnload(module *m) {
  ENTER("cuModuleUnload");
  NEEDS_CONTEXT;
  USE(MODULE, m);
  module_delete(m);
  return leave(SUCCESS);
}

int cuModuleGetFunction(module **function, module *m, const char *name) {
  ENTER("cuModuleGetFunction");
  NEEDS_CONTEXT;
  USE(MODULE, m);
  NEEDS(strcmp(name, "scale") == 0, NOT_FOUND);
  *function = m;
  return leave(SUCCESS);
}

int cuModuleGetGlobal_v2(void **at, size_t *bytes, module *m, const char *name) {
  ENTER("cuModuleGetGlobal");
  NEEDS_CONTEXT;
  USE(MODULE, m);
  int odd = strcmp(name, "odd") == 0;
  NEEDS(odd || strcmp(name, "table") == 0, NOT_FOUND);
  *at = (char *)m->table + 2 * odd;
  *bytes = odd ? 8 : 16;
  return leave(SUCCESS);
}

int cuModuleGetFunctionCount(unsigned *count, module *m) {
  ENTER("cuModuleGetFunctionCount");
  NEEDS_CONTEXT;
  USE(MODULE, m);
  *count = 2;
  return leave(SUCCESS);
}

int cuModuleEnumerateFunctions(const char **functions, unsigned count, module *m) {
  ENTER("cuModuleEnumerateFunctions");
  USE(MODULE, m);
  for (unsigned i = 0; i < count; i++) functions[i] = kernel_names[i];
  return leave(SUCCESS);
}

// What the enumeration gives is good for its name only.
int cuFuncGetName(const char **name, const char *function) {
  ENTER("cuFuncGetName");
  *name = function;
  return leave(SUCCESS);
}

int cuLibraryLoadData(library **result, const char *image, int *options, void **values, unsigned count, void *o, void *v, unsigned n) {
  (void)o, (void)v;
  ENTER("cuLibraryLoadData");
  NEEDS(n == 0, INVALID_VALUE);
  int loaded = loads(image, count, options, values);
  NEEDS(loaded == SUCCESS, loaded);
  *result = make(LIBRARY, sizeof **result);
  (*result)->only = strstr(image, "only 1") ? 1 : -1;
  return leave(SUCCESS);
}

int cuLibraryUnload(library *l) {
  ENTER("cuLibraryUnload");
  USE(LIBRARY, l);
  for (int i = 0; i < DEVICES; i++)
    if (l->modules[i]) module_delete(l->modules[i]);
  destroy(l);
  bury(l);
  return leave(SUCCESS);
}

static int arrive(library *l) {
  USE(LIBRARY, l);
  if (!current || current->retains == 0) return INVALID_CONTEXT;
  if (l->only >= 0 && l->only != current->device) return NO_BINARY;
  return l->modules[current->device] ? SUCCESS : module_new(&l->modules[current->device]);
}

int cuLibraryGetModule(module **result, library *l) {
  ENTER("cuLibraryGetModule");
  int arrived = arrive(l);
  NEEDS(arrived == SUCCESS, arrived);
  *result = l->modules[current->device];
  return leave(SUCCESS);
}

int cuLibraryGetKernel(kernel **result, library *l, const char *name) {
  ENTER("cuLibraryGetKernel");
  USE(LIBRARY, l);
  NEEDS(strcmp(name, "scale") == 0, NOT_FOUND);
  kernels[0] = (kernel){l, kernel_names[0]};
  *result = &kernels[0];
  return leave(SUCCESS);
}

int cuKernelGetFunction(module **function, kernel *k) {
  ENTER("cuKernelGetFunction");
  int arrived = arrive(k->library);
  NEEDS(arrived == SUCCESS, arrived);
  *function = k->library->modules[current->device];
  return leave(SUCCESS);
}

int cuLibraryGetGlobal(void **at, size_t *bytes, library *l, const char *name) {
  ENTER("cuLibraryGetGlobal");
  int arrived = arrive(l);
  NEEDS(arrived == SUCCESS, arrived);
  NEEDS(strcmp(name, "table") == 0, NOT_FOUND);
  *at = l->modules[current->device]->table;
  *bytes = 16;
  return leave(SUCCESS);
}

int cuLibraryGetKernelCount(unsigned *count, library *l) {
  ENTER("cuLibraryGetKernelCount");
  USE(LIBRARY, l);
  *count = 2;
  return leave(SUCCESS);
}

int cuLibraryEnumerateKernels(kernel **result, unsigned count, library *l) {
  ENTER("cuLibraryEnumerateKernels");
  USE(LIBRARY, l);
  for (unsigned i = 0; i < count; i++) {
    kernels[i] = (kernel){l, kernel_names[i]};
    result[i] = &kernels[i];
  }
  return leave(SUCCESS);
}

int cuKernelGetName(const char **name, kernel *k) {
  ENTER("cuKernelGetName");
  *name = k->name;
  return leave(SUCCESS);
}

int cuFuncGetAttribute(int *value, int attribute, module *function) {
  ENTER("cuFuncGetAttribute");
  USE(MODULE, function);
  *value = attribute == 0 ? 512 : attribute == 8 ? function->shared : 0;
  return leave(SUCCESS);
}

int cuFuncSetAttribute(module *function, int attribute, int value) {
  ENTER("cuFuncSetAttribute");
  USE(MODULE, function);
  if (attribute == 8) function->shared = value;
  return leave(SUCCESS);
}

int cuFuncGetParamInfo(module *function, size_t index, size_t *offset, size_t *bytes) {
  ENTER("cuFuncGetParamInfo");
  USE(MODULE, function);
  NEEDS(index < 3, INVALID_VALUE);
  *offset = 8 + 4 * (index - 1);
  *bytes = parameter_bytes[index];
  return leave(SUCCESS);
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks_, module *function, int threads, size_t shared) {
  (void)shared;
  ENTER("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  USE(MODULE, function);
  *blocks_ = 2048 / threads;
  return leave(SUCCESS);
}

int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, module *function, void *callback, size_t shared, int most) {
  (void)callback, (void)most;
  ENTER("cuOccupancyMaxPotentialBlockSize");
  USE(MODULE, function);
  *grid = 264;
  *block = shared > 0 ? 128 : 512;
  return leave(SUCCESS);
}

typedef struct launch {
  unsigned grid[3], block[3], shared;
  stream *stream;
  void *attributes;
  unsigned attribute_count;
} launch;

int cuLaunchKernelEx(const launch *l, module *function, void **parameters, void **extra) {
  ENTER("cuLaunchKernelEx");
  stream *s = l->stream;
  NEEDS_STREAM(s);
  USE(MODULE, function);
  NEEDS(!extra && l->grid[0] * l->block[0] >= 1 && (int)l->shared <= function->shared, INVALID_VALUE);
  NEEDS(function->context == s->context, INVALID_HANDLE);
  char *x = *(char **)parameters[0];
  int n = *(int *)parameters[1];
  block *b = find(x, n * sizeof(float));
  NEEDS(b, 700);
  if (b->device >= 0 && b->device != s->context->device) {
    NEEDS(s->context->peers & 1 << b->device, 700);
    NEEDS(!b->from || b->from->peers & 1 << s->context->device, 700);
  }
  return leave(put(s, (operation){.kind = KERNEL, .to = x, .count = n, .factor = *(float *)parameters[2], .code = function}));
}
