// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// The kernels of Collectives.java, line for line.

constexpr int THREADS = 256;
constexpr int WARP = 32;
constexpr int WARPS = THREADS / WARP;
constexpr unsigned ALL = 0xffffffffu;
constexpr int SCANNED = 2 * THREADS;
constexpr int BINS = 256;
constexpr int TILE = 32;
constexpr int ROWS = 8;
constexpr int SORTED = 1024;
constexpr int DIGITS = 16;

extern "C" __global__ void scan(const float *in, float *out, float *sums) {
    __shared__ float tree[SCANNED];
    int t = threadIdx.x;
    int first = blockIdx.x * SCANNED;
    tree[2 * t] = in[first + 2 * t];
    tree[2 * t + 1] = in[first + 2 * t + 1];
    int offset = 1;
    for (int d = SCANNED >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1;
            int right = offset * (2 * t + 2) - 1;
            tree[right] += tree[left];
        }
        offset *= 2;
    }
    if (t == 0) {
        sums[blockIdx.x] = tree[SCANNED - 1];
        tree[SCANNED - 1] = 0;
    }
    for (int d = 1; d < SCANNED; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1;
            int right = offset * (2 * t + 2) - 1;
            float saved = tree[left];
            tree[left] = tree[right];
            tree[right] += saved;
        }
    }
    __syncthreads();
    out[first + 2 * t] = tree[2 * t];
    out[first + 2 * t + 1] = tree[2 * t + 1];
}

__device__ double warpSum(double value) {
    double sum = value;
    for (int by = WARP / 2; by > 0; by /= 2) {
        sum += __shfl_down_sync(ALL, sum, by);
    }
    return sum;
}

extern "C" __global__ void reduction(int n, const double *values, double *sums) {
    __shared__ double ofWarps[WARPS];
    int t = threadIdx.x;
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        sum += values[i];
    }
    sum = warpSum(sum);
    if (t % WARP == 0) {
        ofWarps[t / WARP] = sum;
    }
    __syncthreads();
    if (t < WARP) {
        sum = warpSum(t < WARPS ? ofWarps[t] : 0);
        if (t == 0) {
            sums[blockIdx.x] = sum;
        }
    }
}

extern "C" __global__ void histogram(int n, const int *words, int *counts) {
    __shared__ int own[BINS];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        unsigned word = words[i];
        atomicAdd(own + (word & 0xff), 1);
        atomicAdd(own + ((word >> 8) & 0xff), 1);
        atomicAdd(own + ((word >> 16) & 0xff), 1);
        atomicAdd(own + (word >> 24), 1);
    }
    __syncthreads();
    atomicAdd(counts + threadIdx.x, own[threadIdx.x]);
}

extern "C" __global__ void transpose(int width, int height, const float *in, float *out) {
    __shared__ float tile[TILE * (TILE + 1)];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS) {
        if (x < width && y + i < height) {
            tile[(threadIdx.y + i) * (TILE + 1) + threadIdx.x] = in[(y + i) * width + x];
        }
    }
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS) {
        if (x < height && y + i < width) {
            out[(y + i) * height + x] = tile[threadIdx.x * (TILE + 1) + threadIdx.y + i];
        }
    }
}

extern "C" __global__ void bitonicSort(const int *in, int *out) {
    __shared__ int keys[SORTED];
    int t = threadIdx.x;
    int first = blockIdx.x * SORTED;
    keys[t] = in[first + t];
    keys[t + SORTED / 2] = in[first + t + SORTED / 2];
    for (int size = 2; size <= SORTED; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int low = 2 * t - (t & stride - 1);
            int high = low + stride;
            bool up = (low & size) == 0;
            int a = keys[low];
            int b = keys[high];
            if ((a > b) == up) {
                keys[low] = b;
                keys[high] = a;
            }
        }
    }
    __syncthreads();
    out[first + t] = keys[t];
    out[first + t + SORTED / 2] = keys[t + SORTED / 2];
}

extern "C" __global__ void radixCount(int n, int shift, const int *keys, int *counts, int *ranks) {
    __shared__ int ofWarps[WARPS * DIGITS];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = t / WARP;
    int lane = t % WARP;
    int digit = ((unsigned)keys[i] >> shift) & DIGITS - 1;
    int same = -1;
    for (int bit = 0; bit < 4; bit++) {
        bool set = (digit >> bit & 1) != 0;
        int votes = __ballot_sync(ALL, set);
        same &= set ? votes : ~votes;
    }
    if (t < WARPS * DIGITS) {
        ofWarps[t] = 0;
    }
    __syncthreads();
    int before = __popc(same & (1 << lane) - 1);
    if (before == 0) {
        ofWarps[warp * DIGITS + digit] = __popc(same);
    }
    __syncthreads();
    int rank = before;
    for (int w = 0; w < warp; w++) {
        rank += ofWarps[w * DIGITS + digit];
    }
    ranks[i] = rank;
    if (t < DIGITS) {
        int count = 0;
        for (int w = 0; w < WARPS; w++) {
            count += ofWarps[w * DIGITS + t];
        }
        counts[blockIdx.x * DIGITS + t] = count;
    }
}
