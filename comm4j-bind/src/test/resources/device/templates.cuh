// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

#pragma once

/** Templates of which the calls of a kernel give the arguments. */
namespace templates {
enum Way { UP, DOWN };
enum class Step : int { ONE = 1, THREE = 3 };

template <class T>
__device__ T twice(T x) {
    return x + x;
}

/// Adds N times.
template <int N, Way WAY = UP, bool ON = true, class T>
__device__ T stepped(T x) {
    for (int i = 0; i < N && ON; i++) {
        x += WAY == UP ? T(1) : T(-1);
    }
    return x;
}

template <class To, class From>
__device__ To converted(From x) {
    return (To) x;
}

template <Step STEP>
__device__ int by(int x) {
    return x + (int) STEP;
}

template <unsigned N, Way WAY = DOWN>
__device__ float last(float x) {
    return WAY == DOWN ? x * N : x;
}

template <int N>
struct Row {
    float x[N];
};

template <int N>
__device__ Row<N> row(float x) {
    return {x};
}

template <class... T>
__device__ int count(T... x) {
    return sizeof...(x);
}

template <class T>
__device__ T modulus(T x, T y) {
    static_assert(T(1) / 2 == 0, "whole numbers only");
    return x % y;
}

template <class T, int THREADS, Way WAY = UP>
class BlockTotal {
  public:
    struct TempStorage {
        T parts[THREADS];
    };
    __device__ explicit BlockTotal(TempStorage& storage) : storage(storage) {}
    __device__ T Total(T x) {
        storage.parts[threadIdx.x] = x;
        __syncthreads();
        T total = 0;
        for (int i = 0; i < THREADS; i++) {
            total += WAY == UP ? storage.parts[i] : -storage.parts[i];
        }
        return total;
    }
    __device__ void Total(T x, T& result, int& threads) {
        result = Total(x);
        threads = THREADS;
    }
    template <class Op>
    __device__ T Reduce(T x, Op op) {
        return op(x);
    }

  private:
    TempStorage& storage;
};
}  // namespace templates
