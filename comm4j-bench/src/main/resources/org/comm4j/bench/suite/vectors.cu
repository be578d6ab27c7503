// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// The kernels of Vectors.java, line for line.

constexpr int WARP = 32;
constexpr unsigned ALL = 0xffffffffu;

extern "C" __global__ void rows(int n, const float *a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < n; j++) {
            sum += a[i * n + j] * x[j];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void columns(int n, const float *a, const float *x, float *y) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n) {
        y[j] = 0;
        for (int i = 0; i < n; i++) {
            y[j] = y[j] + a[i * n + j] * x[i];
        }
    }
}

extern "C" __global__ void bicg(int n, const float *__restrict__ a, const float *__restrict__ p,
                                const float *__restrict__ r, float *__restrict__ q, float *__restrict__ s) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i < n) {
        for (int j = 0; j < n; j++) {
            sum += a[i * n + j] * p[j];
        }
        q[i] = sum;
    } else if (i < 2 * n) {
        int j = i - n;
        for (int k = 0; k < n; k++) {
            sum += a[k * n + j] * r[k];
        }
        s[j] = sum;
    }
}

extern "C" __global__ void mvt(int n, const float *a, const float *y, float *x) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    int lane = threadIdx.x % WARP;
    if (i < n) {
        float sum = 0;
        for (int j = lane; j < n; j += WARP) {
            sum += a[i * n + j] * y[j];
        }
        for (int by = WARP / 2; by > 0; by /= 2) {
            sum += __shfl_down_sync(ALL, sum, by);
        }
        if (lane == 0) {
            x[i] = x[i] + sum;
        }
    }
}

extern "C" __global__ void gesummv(int n, float alpha, float beta, const float *a, const float *b, const float *x,
                                   float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sumA = 0;
        float sumB = 0;
        for (int j = 0; j < n; j++) {
            sumA += a[i * n + j] * x[j];
            sumB += b[i * n + j] * x[j];
        }
        y[i] = alpha * sumA + beta * sumB;
    }
}

extern "C" __global__ void spmv(int n, const int *starts, const int *columns, const float *values, const float *x,
                                float *y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    int lane = threadIdx.x & WARP - 1;
    if (row < n) {
        float sum = 0;
        int end = starts[row + 1];
        for (int i = starts[row] + lane; i < end; i += WARP) {
            sum += values[i] * x[columns[i]];
        }
        for (int by = WARP / 2; by > 0; by >>= 1) {
            sum += __shfl_xor_sync(ALL, sum, by);
        }
        if (lane == 0) {
            y[row] = sum;
        }
    }
}
