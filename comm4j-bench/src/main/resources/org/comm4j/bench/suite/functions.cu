// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// The kernels of Functions.java, line for line.

#include <cuda_fp16.h>

constexpr int THREADS = 256;
constexpr int WARP = 32;
constexpr int WARPS = THREADS / WARP;
constexpr unsigned ALL = 0xffffffffu;

extern "C" __global__ void softmax(int columns, const float *in, float *out) {
    __shared__ float maxima[WARPS];
    __shared__ float sums[WARPS];
    int t = threadIdx.x;
    int row = blockIdx.x * columns;
    float max = -INFINITY;
    float sum = 0;
    for (int i = t; i < columns; i += blockDim.x) {
        float x = in[row + i];
        float next = fmaxf(max, x);
        sum = sum * expf(max - next) + expf(x - next);
        max = next;
    }
    for (int by = WARP / 2; by > 0; by /= 2) {
        float otherMax = __shfl_xor_sync(ALL, max, by);
        float otherSum = __shfl_xor_sync(ALL, sum, by);
        float next = fmaxf(max, otherMax);
        sum = sum * expf(max - next) + otherSum * expf(otherMax - next);
        max = next;
    }
    if (t % WARP == 0) {
        maxima[t / WARP] = max;
        sums[t / WARP] = sum;
    }
    __syncthreads();
    max = maxima[0];
    sum = sums[0];
    for (int i = 1; i < WARPS; i++) {
        float next = fmaxf(max, maxima[i]);
        sum = sum * expf(max - next) + sums[i] * expf(maxima[i] - next);
        max = next;
    }
    for (int i = t; i < columns; i += blockDim.x) {
        out[row + i] = expf(in[row + i] - max) / sum;
    }
}

__device__ float below(float d) {
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    float polynomial =
        k * (0.31938154f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212559f + k * 1.3302745f))));
    float tail = 0.3989423f * expf(-0.5f * d * d) * polynomial;
    return d > 0 ? 1 - tail : tail;
}

extern "C" __global__ void blackScholes(int n, float rate, float volatility, const float *price, const float *strike,
                                        const float *years, float *call, float *put) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = price[i];
        float x = strike[i];
        float t = years[i];
        float root = sqrtf(t);
        float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        float d2 = d1 - volatility * root;
        float below1 = below(d1);
        float below2 = below(d2);
        float discounted = x * expf(-rate * t);
        call[i] = s * below1 - discounted * below2;
        put[i] = discounted * (1 - below2) - s * (1 - below1);
    }
}

__device__ float blockSum(float value, float *ofWarps) {
    float sum = value;
    for (int by = WARP / 2; by > 0; by /= 2) {
        sum += __shfl_xor_sync(ALL, sum, by);
    }
    if (threadIdx.x % WARP == 0) {
        ofWarps[threadIdx.x / WARP] = sum;
    }
    __syncthreads();
    float all = 0;
    for (int i = 0; i < WARPS; i++) {
        all += ofWarps[i];
    }
    __syncthreads();
    return all;
}

extern "C" __global__ void layerNorm(int columns, const __half *in, const __half *gamma, const __half *beta,
                                     __half *out) {
    __shared__ float ofWarps[WARPS];
    int row = blockIdx.x * columns;
    float sum = 0;
    for (int i = 2 * threadIdx.x; i < columns; i += 2 * blockDim.x) {
        __half2 two = *(const __half2 *)(in + row + i);
        sum += __half2float(__low2half(two)) + __half2float(__high2half(two));
    }
    float mean = blockSum(sum, ofWarps) / columns;
    float squares = 0;
    for (int i = 2 * threadIdx.x; i < columns; i += 2 * blockDim.x) {
        __half2 two = *(const __half2 *)(in + row + i);
        float low = __half2float(__low2half(two)) - mean;
        float high = __half2float(__high2half(two)) - mean;
        squares += low * low + high * high;
    }
    float scale = 1 / sqrtf(blockSum(squares, ofWarps) / columns + 1e-5f);
    for (int i = 2 * threadIdx.x; i < columns; i += 2 * blockDim.x) {
        __half2 two = *(const __half2 *)(in + row + i);
        __half2 factor = *(const __half2 *)(gamma + i);
        __half2 summand = *(const __half2 *)(beta + i);
        float low = (__half2float(__low2half(two)) - mean) * scale;
        float high = (__half2float(__high2half(two)) - mean) * scale;
        *(__half2 *)(out + row + i) =
            __floats2half2_rn(low * __half2float(__low2half(factor)) + __half2float(__low2half(summand)),
                              high * __half2float(__high2half(factor)) + __half2float(__high2half(summand)));
    }
}

__device__ int escape(float cx, float cy, int most) {
    float x = 0;
    float y = 0;
    int count = 0;
    while (count < most && fmaf(x, x, y * y) < 4) {
        float next = fmaf(x, x, fmaf(-y, y, cx));
        y = fmaf(2 * x, y, cy);
        x = next;
        count++;
    }
    return count;
}

extern "C" __global__ void mandelbrot(int side, int most, int *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < side && y < side) {
        float step = 3.0f / side;
        out[y * side + x] = escape(fmaf(x, step, -2), fmaf(y, step, -1.5f), most);
    }
}

__device__ int next(int state) {
    unsigned x = state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

extern "C" __global__ void monteCarlo(int tries, int *inside) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int state = (unsigned)i * 747796405u + 12345u;
    state = state == 0 ? 1 : state;
    int count = 0;
    for (int k = 0; k < tries; k++) {
        state = next(state);
        float x = (int)((unsigned)state >> 8) * 0x1p-24f;
        state = next(state);
        float y = (int)((unsigned)state >> 8) * 0x1p-24f;
        count += fmaf(x, x, y * y) < 1 ? 1 : 0;
    }
    inside[i] = count;
}

extern "C" __global__ void xorwow(int each, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = blockDim.x * gridDim.x;
    unsigned x = 123456789u + i;
    unsigned y = 362436069u ^ i;
    unsigned z = 521288629u;
    unsigned w = 88675123u + i * 31;
    unsigned v = 5783321u;
    unsigned d = 6615241u;
    for (int k = 0; k < each; k++) {
        unsigned t = x ^ (x >> 2);
        x = y;
        y = z;
        z = w;
        w = v;
        v = v ^ (v << 4) ^ t ^ (t << 1);
        d += 362437u;
        float u1 = (int)((v + d >> 8) + 1) * 0x1p-24f;
        t = x ^ (x >> 2);
        x = y;
        y = z;
        z = w;
        w = v;
        v = v ^ (v << 4) ^ t ^ (t << 1);
        d += 362437u;
        float u2 = (int)(v + d >> 8) * 0x1p-24f;
        float radius = sqrtf(-2 * logf(u1));
        out[k * threads + i] = radius * cosf(6.2831855f * u2);
    }
}
