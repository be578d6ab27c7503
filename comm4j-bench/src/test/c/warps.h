// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// Just enough of CUDA C++ to compile a kernel with the host's compiler and to run it there, so that its logic is tested on machines
// without a GPU: the blocks one after another, the threads of a block as coroutines that take turns wherever they exchange something.
// It knows nothing of memory order and speed; a thread that stays away from an exchange is an error.

#pragma once
#include <setjmp.h>
#include <ucontext.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static thread_local

struct Index {
    unsigned x = 1, y = 1, z = 1;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
using std::min;

static thread_local Index threadIdx, blockIdx, blockDim, gridDim;

namespace warps {

// Begins as a context of its own; then it takes turns by jumps, which need no system call.
struct Thread {
    ucontext_t context;
    jmp_buf here;
    std::vector<char> stack = std::vector<char>(1 << 16);
    bool begun, done;
};
// Where some threads meet. What they bring is kept for two meetings: the quickest can be one ahead.
struct Meeting {
    int members, arrived = 0;
    long held = 0;
    double brought[2][32];
};
static thread_local std::vector<std::unique_ptr<Thread>> threads;
static thread_local std::vector<Meeting> meetings; // of each warp, and last of the block
static thread_local long arrivals;
static thread_local jmp_buf scheduler;
static thread_local const std::function<void()>* body;

static void enter() {
    (*body)();
    threads[threadIdx.x]->done = true;
    _longjmp(scheduler, 1);
}

static void resume(Thread& thread) {
    if (_setjmp(scheduler) == 0) {
        if (thread.begun) {
            _longjmp(thread.here, 1);
        }
        thread.begun = true;
        setcontext(&thread.context);
    }
}

static long meet(Meeting& meeting) {
    const long mine = meeting.held;
    arrivals++;
    if (++meeting.arrived == meeting.members) {
        meeting.arrived = 0;
        meeting.held++;
    }
    const unsigned me = threadIdx.x;
    while (meeting.held == mine) {
        if (_setjmp(threads[me]->here) == 0) {
            _longjmp(scheduler, 1);
        }
    }
    return mine;
}

template <class V>
V exchange(V value, int from) {
    Meeting& meeting = meetings[threadIdx.x / 32];
    const int lane = threadIdx.x % 32;
    memcpy(&meeting.brought[meeting.held % 2][lane], &value, sizeof value);
    const long held = meet(meeting);
    memcpy(&value, &meeting.brought[held % 2][from < 0 || from > 31 ? lane : from], sizeof value);
    return value;
}

// Runs blocks of whole warps.
static void run(Index grid, Index block, const std::function<void()>& kernel) {
    body = &kernel;
    blockDim = block;
    gridDim = grid;
    while (threads.size() < block.x) {
        threads.push_back(std::make_unique<Thread>());
    }
    for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++) {
        for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++) {
            meetings.assign(block.x / 32 + 1, Meeting{32});
            meetings.back().members = block.x;
            for (unsigned i = 0; i < block.x; i++) {
                Thread& thread = *threads[i];
                thread.begun = thread.done = false;
                getcontext(&thread.context);
                thread.context.uc_stack.ss_sp = thread.stack.data();
                thread.context.uc_stack.ss_size = thread.stack.size();
                makecontext(&thread.context, enter, 0);
            }
            for (unsigned left = block.x, idle = 0; left > 0; idle++) {
                if (idle > 1) {
                    fprintf(stderr, "block %u, %u: threads wait for others that have ended\n", blockIdx.x, blockIdx.y);
                    abort();
                }
                for (unsigned i = 0; i < block.x; i++) {
                    if (!threads[i]->done) {
                        const long before = arrivals;
                        threadIdx = {i, 0, 0};
                        resume(*threads[i]);
                        left -= threads[i]->done;
                        idle = arrivals != before || threads[i]->done ? 0 : idle;
                    }
                }
            }
        }
    }
}

} // namespace warps

template <class V>
static V __shfl_up_sync(unsigned, V value, int distance) {
    return warps::exchange(value, (int) threadIdx.x % 32 - distance);
}
template <class V>
static V __shfl_down_sync(unsigned, V value, int distance) {
    return warps::exchange(value, (int) threadIdx.x % 32 + distance);
}
static inline void __syncthreads() { warps::meet(warps::meetings.back()); }
static inline double atomicAdd(double* to, double value) {
    const double old = *to;
    *to += value;
    return old;
}
