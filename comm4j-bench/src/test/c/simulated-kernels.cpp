// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// What the simulated GPUs of comm4j-nccl and comm4j-nvshmem (src/test/c/simulation.c) lack for a solver: modules, whose kernels do what
// those of JacobiKernels.java do, in plain loops; and graphs of all that. A graph is a list of calls on streams, whichever thread makes
// them, and a launch makes them again. This library is linked with one of theirs and found before it, so that it sees the calls that a graph
// can have.

#include <dlfcn.h>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

typedef std::vector<std::function<int()>> Graph;
static std::mutex mutex;
// What a stream records to, and what an event was recorded to: a stream that waits for such an event joins in.
static std::map<void*, Graph*> recording;
// Of a stream that this thread has begun to record; groups of calls know no stream.
static thread_local void* recorded;

static Graph* graphOf(void* streamOrEvent) {
    std::lock_guard<std::mutex> guard(mutex);
    auto found = recording.find(streamOrEvent);
    return found == recording.end() ? nullptr : found->second;
}
static int call(void* stream, std::function<int()> what) {
    if (Graph* graph = graphOf(stream)) {
        graph->push_back(std::move(what));
        return 0;
    }
    return what();
}
static void joins(void* one, void* other) {
    Graph* graph = graphOf(other);
    std::lock_guard<std::mutex> guard(mutex);
    if (graph) recording[one] = graph;
}

extern "C" {
#define PLAIN(NAME, PARAMETERS, ARGUMENTS) ((int (*) PARAMETERS) dlsym(RTLD_NEXT, #NAME)) ARGUMENTS
#define RECORDED(NAME, PARAMETERS, ARGUMENTS)                                                    \
    int NAME PARAMETERS {                                                                        \
        return call(stream, [=] { return PLAIN(NAME, PARAMETERS, ARGUMENTS); });                 \
    }
int cuEventRecord(void* event, void* stream) {
    joins(event, stream);
    return call(stream, [=] { return PLAIN(cuEventRecord, (void*, void*), (event, stream)); });
}
int cuStreamWaitEvent(void* stream, void* event, unsigned flags) {
    joins(stream, event);
    return call(stream, [=] { return PLAIN(cuStreamWaitEvent, (void*, void*, unsigned), (stream, event, flags)); });
}
RECORDED(cuMemcpyDtoDAsync_v2, (void* to, void* from, size_t bytes, void* stream), (to, from, bytes, stream))
RECORDED(cuMemsetD8Async, (void* to, unsigned char value, size_t n, void* stream), (to, value, n, stream))
RECORDED(cuMemsetD32Async, (void* to, unsigned value, size_t n, void* stream), (to, value, n, stream))
int ncclGroupStart() { return call(recorded, [] { return PLAIN(ncclGroupStart, (), ()); }); }
int ncclGroupEnd() { return call(recorded, [] { return PLAIN(ncclGroupEnd, (), ()); }); }
RECORDED(ncclSend, (void* from, size_t n, int type, int peer, void* comm, void* stream), (from, n, type, peer, comm, stream))
RECORDED(ncclRecv, (void* to, size_t n, int type, int peer, void* comm, void* stream), (to, n, type, peer, comm, stream))
RECORDED(ncclAllReduce, (void* from, void* to, size_t n, int type, int op, void* comm, void* stream),
        (from, to, n, type, op, comm, stream))
RECORDED(nvshmemx_putmem_on_stream, (void* to, void* from, size_t bytes, int pe, void* stream), (to, from, bytes, pe, stream))
RECORDED(cuStreamWriteValue64_v2, (void* stream, void* at, uint64_t value, unsigned flags), (stream, at, value, flags))
RECORDED(nvshmemx_signal_wait_until_on_stream, (void* signal, int comparison, uint64_t value, void* stream),
        (signal, comparison, value, stream))
RECORDED(nvshmemx_double_sum_reduce_on_stream, (int team, void* to, void* from, size_t n, void* stream), (team, to, from, n, stream))

int cuLaunchHostFunc(void* stream, void (*function)(void*), void* arg);

int cuStreamIsCapturing(void* stream, int* status) { *status = graphOf(stream) != nullptr; return 0; }
int cuStreamBeginCapture_v2(void* stream, int) {
    std::lock_guard<std::mutex> guard(mutex);
    recording[recorded = stream] = new Graph();
    return 0;
}
int cuStreamEndCapture(void* stream, Graph** graph) {
    std::lock_guard<std::mutex> guard(mutex);
    *graph = recording[stream];
    for (auto each = recording.begin(); each != recording.end();) each = each->second == *graph ? recording.erase(each) : std::next(each);
    recorded = nullptr;
    return 0;
}
int cuGraphDestroy(Graph* graph) { delete graph; return 0; }
int cuGraphInstantiateWithFlags(Graph** exec, Graph* graph, unsigned long long) { *exec = new Graph(*graph); return 0; }
int cuGraphExecDestroy(Graph* exec) { delete exec; return 0; }
int cuGraphUpload(Graph*, void*) { return 0; }
int cuGraphLaunch(Graph* exec, void*) {
    for (auto& each : *exec) each();
    return 0;
}

int cuModuleLoadDataEx(void** module, const void*, unsigned, int*, void**) { *module = new int; return 0; }
int cuModuleUnload(int* module) { delete module; return 0; }
int cuModuleGetFunction(std::string** kernel, void*, const char* name) { *kernel = new std::string(name); return 0; }
int cuFuncGetAttribute(int* value, int attribute, void*) { *value = attribute == 0 ? 1024 : 0; return 0; }

struct Config {
    unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, shared;
    void* stream;
};
}

static void start(float* grid, const float* values, int nx, long long pitch, int rows) {
    for (int y = 0; y < rows; y++) {
        grid[y * pitch] = grid[y * pitch + nx - 1] = values[y];
    }
}

static void collect(double* sums, double* history, long long* position, int count) {
    for (int i = 0; i < count; i++) {
        history[*position + i] = std::exchange(sums[i], 0);
    }
    *position += count;
}

// Kernels of two streams, which are threads here, add to the same sums.
static void add(double* sum, double value) {
    double before = *sum, after;
    do {
        after = before + value;
    } while (!__atomic_compare_exchange(sum, &before, &after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

// Some iterations for the rows of one block.
static void relax(int iterations, const float* in, float* out, double* squares, int nx, long long pitch, int begin, int end) {
    const int halo = iterations;
    std::vector<float> now(in + (begin - halo) * pitch, in + (end + halo) * pitch);
    for (int i = 1; i <= iterations; i++) {
        std::vector<float> next = now;
        for (int y = i; y < end - begin + 2 * halo - i; y++) {
            double sum = 0;
            for (int x = 1; x < nx - 1; x++) {
                const float* a = &now[y * pitch + x];
                const float value = 0.25f * (a[1] + a[-1] + a[pitch] + a[-pitch]);
                sum += ((double) value - *a) * ((double) value - *a);
                next[y * pitch + x] = value;
            }
            if (squares && y >= halo && y < halo + end - begin) {
                add(&squares[i - 1], sum);
            }
        }
        now = next;
    }
    std::copy(&now[halo * pitch], &now[(halo + end - begin) * pitch], out + begin * pitch);
}

// With the arguments as they are now.
template <class... A, size_t... I>
static std::function<void()> prepared(void (*kernel)(A...), void** arguments, std::index_sequence<I...>) {
    return std::bind(kernel, *(std::decay_t<A>*) arguments[I]...);
}
template <class... A>
static std::function<void()> prepared(void (*kernel)(A...), void** arguments) {
    return prepared(kernel, arguments, std::index_sequence_for<A...>());
}

extern "C" int cuLaunchKernelEx(const Config* config, std::string* kernel, void** arguments, void**) {
    std::function<void()> body;
    const unsigned below = config->gridY;
    auto is = [&](const char* name) { return *kernel == std::string("JacobiKernels_") + name; };
    if (is("start")) {
        body = prepared(start, arguments);
    } else if (is("collect")) {
        body = prepared(collect, arguments);
    } else {
        const int iterations = is("relax8") ? 8 : is("relax4") ? 4 : is("relax2") ? 2 : is("relax") ? 1 : 0;
        if (iterations == 0) {
            return 500; // CUDA_ERROR_NOT_FOUND
        }
        auto in = *(float**) arguments[0], out = *(float**) arguments[1];
        auto squares = *(bool*) arguments[3] ? *(double**) arguments[2] : nullptr;
        auto nx = *(int*) arguments[4];
        auto pitch = *(long long*) arguments[5];
        auto first = *(int*) arguments[6], step = *(int*) arguments[7], rows = *(int*) arguments[8], last = *(int*) arguments[9];
        body = [=] {
            for (unsigned y = 0; y < below; y++) {
                const int begin = first + y * step;
                relax(iterations, in, out, squares, nx, pitch, begin, std::min(begin + rows, last));
            }
        };
    }
    void* stream = config->stream;
    return call(stream, [=] {
        auto run = [](void* arg) {
            auto body = (std::function<void()>*) arg;
            (*body)();
            delete body;
        };
        return cuLaunchHostFunc(stream, run, new std::function<void()>(body));
    });
}
