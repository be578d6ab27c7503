// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// What the simulated GPUs of comm4j-nccl and comm4j-nvshmem (src/test/c/simulation.c) lack for a solver: modules, whose kernels are those of
// jacobi.cu, compiled for the host, and an NVRTC that takes any source for that one; and graphs of all that. A graph is a list of calls,
// which a launch makes again. This library is linked with one of theirs and found before it, so that it sees the calls that a graph can have.

#include "warps.h"
#include JACOBI
#include <dlfcn.h>
#include <string>

typedef std::vector<std::function<int()>> Graph;
static thread_local Graph* recording;

static int call(std::function<int()> what) {
    if (recording) {
        recording->push_back(std::move(what));
        return 0;
    }
    return what();
}

extern "C" {
#define RECORDED(NAME, PARAMETERS, ARGUMENTS)                              \
    int NAME PARAMETERS {                                                  \
        return call([=] {                                                  \
            auto plain = (int (*) PARAMETERS) dlsym(RTLD_NEXT, #NAME);     \
            return plain ARGUMENTS;                                        \
        });                                                                \
    }
RECORDED(cuEventRecord, (void* event, void* stream), (event, stream))
RECORDED(cuStreamWaitEvent, (void* stream, void* event, unsigned flags), (stream, event, flags))
RECORDED(cuMemcpyDtoDAsync_v2, (void* to, void* from, size_t bytes, void* stream), (to, from, bytes, stream))
RECORDED(cuMemsetD8Async, (void* to, unsigned char value, size_t n, void* stream), (to, value, n, stream))
RECORDED(cuMemsetD32Async, (void* to, unsigned value, size_t n, void* stream), (to, value, n, stream))
RECORDED(ncclGroupStart, (), ())
RECORDED(ncclGroupEnd, (), ())
RECORDED(ncclSend, (void* from, size_t n, int type, int peer, void* comm, void* stream), (from, n, type, peer, comm, stream))
RECORDED(ncclRecv, (void* to, size_t n, int type, int peer, void* comm, void* stream), (to, n, type, peer, comm, stream))
RECORDED(ncclAllReduce, (void* from, void* to, size_t n, int type, int op, void* comm, void* stream),
        (from, to, n, type, op, comm, stream))
RECORDED(nvshmemx_putmem_signal_on_stream,
        (void* to, void* from, size_t bytes, void* signal, uint64_t value, int op, int pe, void* stream),
        (to, from, bytes, signal, value, op, pe, stream))
RECORDED(nvshmemx_signal_wait_until_on_stream, (void* signal, int comparison, uint64_t value, void* stream),
        (signal, comparison, value, stream))
RECORDED(nvshmemx_double_sum_reduce_on_stream, (int team, void* to, void* from, size_t n, void* stream), (team, to, from, n, stream))

int cuLaunchHostFunc(void* stream, void (*function)(void*), void* arg);

int cuStreamBeginCapture_v2(void*, int) { recording = new Graph(); return 0; }
int cuStreamEndCapture(void*, Graph** graph) { *graph = recording; recording = nullptr; return 0; }
int cuGraphDestroy(Graph* graph) { delete graph; return 0; }
int cuGraphInstantiateWithFlags(Graph** exec, Graph* graph, unsigned long long) { *exec = new Graph(*graph); return 0; }
int cuGraphExecDestroy(Graph* exec) { delete exec; return 0; }
int cuGraphUpload(Graph*, void*) { return 0; }
int cuGraphLaunch(Graph* exec, void*) {
    for (auto& each : *exec) each();
    return 0;
}

static const char image[] = ".version of .target";
int nvrtcVersion(int* major, int* minor) { *major = 13; *minor = 0; return 0; }
const char* nvrtcGetErrorString(int) { return "simulated"; }
int nvrtcCreateProgram(void** program, const char*, const char*, int, const char**, const char**) { *program = new int; return 0; }
int nvrtcDestroyProgram(int** program) { delete *program; return 0; }
int nvrtcCompileProgram(void*, int, const char**) { return 0; }
int nvrtcGetCUBINSize(void*, size_t* bytes) { *bytes = sizeof image; return 0; }
int nvrtcGetCUBIN(void*, char* to) { memcpy(to, image, sizeof image); return 0; }

int cuModuleLoadDataEx(void** module, const void*, unsigned, int*, void**) { *module = new int; return 0; }
int cuModuleUnload(int* module) { delete module; return 0; }
int cuModuleGetFunction(std::string** kernel, void*, const char* name) { *kernel = new std::string(name); return 0; }
int cuFuncGetAttribute(int* value, int attribute, void*) { *value = attribute == 0 ? 1024 : 0; return 0; }

struct Config {
    unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, shared;
    void* stream;
};
}

struct Launch {
    Index grid, block;
    std::function<void()> kernel;
};

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
    Launch launch = {{config->gridX, config->gridY}, {config->blockX}, nullptr};
    // Blocks are run by whole warps.
    launch.block.x = (config->blockX + 31) / 32 * 32;
#define NAMED(NAME) \
    if (*kernel == #NAME) launch.kernel = prepared(NAME, arguments);
    NAMED(start) NAMED(collect) NAMED(relax) NAMED(relax2) NAMED(relax4) NAMED(relax8)
    void* stream = config->stream;
    return call([=] {
        auto run = [](void* arg) {
            Launch* launch = (Launch*) arg;
            warps::run(launch->grid, launch->block, launch->kernel);
            delete launch;
        };
        return cuLaunchHostFunc(stream, run, new Launch(launch));
    });
}
