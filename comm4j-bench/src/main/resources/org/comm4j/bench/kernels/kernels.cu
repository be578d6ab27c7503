// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// The kernels of BenchKernels.java, line for line.

constexpr int THREADS = 256;
constexpr int PRODUCT_TILE = 64;
constexpr int PRODUCT_THREADS = 16;
constexpr int TRANSPOSE_TILE = 32;
constexpr int TRANSPOSE_ROWS = 8;
constexpr int BINS = 256;
constexpr int DEPTH = 16;
constexpr int EACH = 4;
constexpr int PITCH = TRANSPOSE_TILE + 1;
constexpr int WARP = 32;
constexpr int WARPS = THREADS / WARP;
constexpr unsigned ALL = 0xffffffffu;
constexpr int TENSOR_TILE = 128;
constexpr int TENSOR_THREADS = 128;
constexpr int TENSOR_DEPTH = 32;
constexpr int TENSOR_PART = TENSOR_TILE / 2;
constexpr int STAGES = 4;
constexpr int ROW_A = TENSOR_DEPTH + 8;
constexpr int ROW_B = TENSOR_TILE + 8;
constexpr int SIZE_A = TENSOR_TILE * ROW_A;
constexpr int STAGE = SIZE_A + TENSOR_DEPTH * ROW_B;
constexpr int M = 16;
constexpr int N = 8;
constexpr int K = 16;

__device__ inline int global() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

extern "C" __global__ void copy(int quads, const float4 *from, float4 *to) {
    int i = global();
    if (i < quads) {
        to[i] = from[i];
    }
}

extern "C" __global__ void saxpy(int quads, float a, const float4 *x, float4 *y) {
    int i = global();
    if (i < quads) {
        float4 left = x[i];
        float4 right = y[i];
        y[i] = make_float4(fmaf(a, left.x, right.x), fmaf(a, left.y, right.y), fmaf(a, left.z, right.z),
                           fmaf(a, left.w, right.w));
    }
}

extern "C" __global__ void pointers(int n, float a, const float *x, float *y) {
    int i = global();
    if (i < n) {
        y[i] = fmaf(a, x[i], y[i]);
    }
}

// Beside views, which check their indices: what that costs is seen.
extern "C" __global__ void views(int n, float a, const float *x, float *y) {
    int i = global();
    if (i < n) {
        y[i] = fmaf(a, x[i], y[i]);
    }
}

extern "C" __global__ void stencil(int width, int height, const float *from, float *to) {
    int x = global();
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        int at = y * width + x;
        to[at] = 0.25f * (from[at - 1] + from[at + 1] + from[at - width] + from[at + width]);
    }
}

extern "C" __global__ void __launch_bounds__(PRODUCT_THREADS *PRODUCT_THREADS)
    product(int n, const float *a, const float *b, float *c) {
    __shared__ alignas(16) float tileA[DEPTH * PRODUCT_TILE];
    __shared__ alignas(16) float tileB[DEPTH * PRODUCT_TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int t = ty * PRODUCT_THREADS + tx;
    int rowA = t / 4;
    int columnA = t % 4 * 4;
    int rowB = t / 16;
    int columnB = t % 16 * 4;
    const float *fromA = a + (long long)(blockIdx.y * PRODUCT_TILE + rowA) * n + columnA;
    const float *fromB = b + (long long)rowB * n + blockIdx.x * PRODUCT_TILE + columnB;
    float sums[EACH * EACH] = {};
    for (int k = 0; k < n; k += DEPTH) {
        float4 quadA = *(const float4 *)(fromA + k);
        tileA[columnA * PRODUCT_TILE + rowA] = quadA.x;
        tileA[(columnA + 1) * PRODUCT_TILE + rowA] = quadA.y;
        tileA[(columnA + 2) * PRODUCT_TILE + rowA] = quadA.z;
        tileA[(columnA + 3) * PRODUCT_TILE + rowA] = quadA.w;
        *(float4 *)(tileB + rowB * PRODUCT_TILE + columnB) = *(const float4 *)(fromB + (long long)k * n);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float4 left = *(const float4 *)(tileA + i * PRODUCT_TILE + ty * EACH);
            float4 right = *(const float4 *)(tileB + i * PRODUCT_TILE + tx * EACH);
            sums[0] = fmaf(left.x, right.x, sums[0]);
            sums[1] = fmaf(left.x, right.y, sums[1]);
            sums[2] = fmaf(left.x, right.z, sums[2]);
            sums[3] = fmaf(left.x, right.w, sums[3]);
            sums[4] = fmaf(left.y, right.x, sums[4]);
            sums[5] = fmaf(left.y, right.y, sums[5]);
            sums[6] = fmaf(left.y, right.z, sums[6]);
            sums[7] = fmaf(left.y, right.w, sums[7]);
            sums[8] = fmaf(left.z, right.x, sums[8]);
            sums[9] = fmaf(left.z, right.y, sums[9]);
            sums[10] = fmaf(left.z, right.z, sums[10]);
            sums[11] = fmaf(left.z, right.w, sums[11]);
            sums[12] = fmaf(left.w, right.x, sums[12]);
            sums[13] = fmaf(left.w, right.y, sums[13]);
            sums[14] = fmaf(left.w, right.z, sums[14]);
            sums[15] = fmaf(left.w, right.w, sums[15]);
        }
        __syncthreads();
    }
    float *to = c + (long long)(blockIdx.y * PRODUCT_TILE + ty * EACH) * n + blockIdx.x * PRODUCT_TILE + tx * EACH;
#pragma unroll
    for (int row = 0; row < EACH; row++) {
        *(float4 *)(to + (long long)row * n) =
            make_float4(sums[row * EACH], sums[row * EACH + 1], sums[row * EACH + 2], sums[row * EACH + 3]);
    }
}

__device__ inline unsigned address(const short *shared) {
    return (unsigned)__cvta_generic_to_shared(shared);
}

__device__ inline void copy16(short *shared, const short *global) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address(shared)), "l"(global));
}

__device__ inline int4 load4(const short *row) {
    int4 r;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
                 : "r"(address(row)));
    return r;
}

__device__ inline int4 load4Transposed(const short *row) {
    int4 r;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
                 : "r"(address(row)));
    return r;
}

__device__ inline void multiply(float4 &c, int4 a, int x, int y) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c.x), "+f"(c.y), "+f"(c.z), "+f"(c.w)
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(x), "r"(y));
}

__device__ inline void bring(int n, const short *fromA, const short *fromB, int tile, short *stage, int toA, int toB,
                             bool more) {
    if (more) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            copy16(stage + toA + i * 32 * ROW_A, fromA + (long long)i * 32 * n + tile * TENSOR_DEPTH);
            copy16(stage + toB + i * 8 * ROW_B, fromB + (long long)(tile * TENSOR_DEPTH + i * 8) * n);
        }
    }
    asm volatile("cp.async.commit_group;");
}

extern "C" __global__ void __launch_bounds__(TENSOR_THREADS) tensor(int n, const short *a, const short *b, float *c) {
    extern __shared__ __align__(16) short stages[];
    int t = threadIdx.x;
    int lane = t % WARP;
    int warpRow = t / WARP / 2 * TENSOR_PART;
    int warpColumn = t / WARP % 2 * TENSOR_PART;
    const short *fromA = a + (long long)(blockIdx.y * TENSOR_TILE + t / 4) * n + t % 4 * 8;
    const short *fromB = b + (long long)(t / 16) * n + blockIdx.x * TENSOR_TILE + t % 16 * 8;
    int toA = t / 4 * ROW_A + t % 4 * 8;
    int toB = SIZE_A + t / 16 * ROW_B + t % 16 * 8;
    int tiles = n / TENSOR_DEPTH;
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; tile++) {
        bring(n, fromA, fromB, tile, stages + tile * STAGE, toA, toB, tile < tiles);
    }
    float4 sums[4 * 8] = {};
    int4 left[4];
    int4 right[4];
    for (int tile = 0; tile < tiles; tile++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
        __syncthreads();
        int next = tile + STAGES - 1;
        bring(n, fromA, fromB, next, stages + next % STAGES * STAGE, toA, toB, next < tiles);
        short *now = stages + tile % STAGES * STAGE;
#pragma unroll
        for (int k = 0; k < TENSOR_DEPTH; k += K) {
            short *rowsA = now + (warpRow + lane % 16) * ROW_A + k + lane / 16 * 8;
            short *rowsB = now + SIZE_A + (k + lane % 16) * ROW_B + warpColumn + lane / 16 * 8;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                left[i] = load4(rowsA + i * M * ROW_A);
                right[i] = load4Transposed(rowsB + i * 2 * N);
            }
#pragma unroll
            for (int i = 0; i < 4; i++) {
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    multiply(sums[i * 8 + 2 * j], left[i], right[j].x, right[j].y);
                    multiply(sums[i * 8 + 2 * j + 1], left[i], right[j].z, right[j].w);
                }
            }
        }
    }
    float *to = c + (long long)(blockIdx.y * TENSOR_TILE + warpRow + lane / 4) * n + blockIdx.x * TENSOR_TILE +
                warpColumn + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            float4 sum = sums[i * 8 + j];
            *(float2 *)(to + (long long)i * M * n + j * N) = make_float2(sum.x, sum.y);
            *(float2 *)(to + (long long)(i * M + 8) * n + j * N) = make_float2(sum.z, sum.w);
        }
    }
}

__device__ inline float warpSum(float sum) {
    for (int by = WARP / 2; by > 0; by /= 2) {
        sum += __shfl_down_sync(ALL, sum, by);
    }
    return sum;
}

extern "C" __global__ void reduction(int quads, const float4 *values, double *total) {
    __shared__ float ofWarps[WARPS];
    float sum = 0;
    for (int i = global(); i < quads; i += gridDim.x * blockDim.x) {
        float4 four = values[i];
        sum += four.x + four.y + (four.z + four.w);
    }
    sum = warpSum(sum);
    if (threadIdx.x % WARP == 0) {
        ofWarps[threadIdx.x / WARP] = sum;
    }
    __syncthreads();
    if (threadIdx.x < WARP) {
        float all = warpSum(threadIdx.x < WARPS ? ofWarps[threadIdx.x] : 0);
        if (threadIdx.x == 0) {
            atomicAdd(total, (double)all);
        }
    }
}

__device__ inline void count(int *own, unsigned four) {
    atomicAdd(own + (four & 0xff), 1);
    atomicAdd(own + (four >> 8 & 0xff), 1);
    atomicAdd(own + (four >> 16 & 0xff), 1);
    atomicAdd(own + (four >> 24), 1);
}

extern "C" __global__ void histogram(int quads, const int4 *bytes, int *counts) {
    __shared__ int own[BINS];
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        own[bin] = 0;
    }
    __syncthreads();
    for (int i = global(); i < quads; i += gridDim.x * blockDim.x) {
        int4 four = bytes[i];
        count(own, four.x);
        count(own, four.y);
        count(own, four.z);
        count(own, four.w);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        atomicAdd(counts + bin, own[bin]);
    }
}

extern "C" __global__ void transpose(int n, const float *from, float *to) {
    __shared__ float tile[TRANSPOSE_TILE * PITCH];
    int x = blockIdx.x * TRANSPOSE_TILE + threadIdx.x;
    int y = blockIdx.y * TRANSPOSE_TILE + threadIdx.y;
#pragma unroll
    for (int i = 0; i < TRANSPOSE_TILE; i += TRANSPOSE_ROWS) {
        tile[(threadIdx.y + i) * PITCH + threadIdx.x] = from[(long long)(y + i) * n + x];
    }
    __syncthreads();
    x = blockIdx.y * TRANSPOSE_TILE + threadIdx.x;
    y = blockIdx.x * TRANSPOSE_TILE + threadIdx.y;
#pragma unroll
    for (int i = 0; i < TRANSPOSE_TILE; i += TRANSPOSE_ROWS) {
        to[(long long)(y + i) * n + x] = tile[threadIdx.x * PITCH + threadIdx.y + i];
    }
}

extern "C" __global__ void scan(int n, const int *from, int *to, int *sums) {
    __shared__ int ofWarps[WARPS];
    int i = 4 * global();
    int4 four = i < n ? *(const int4 *)(from + i) : make_int4(0, 0, 0, 0);
    int two = four.x + four.y;
    int three = two + four.z;
    int own = three + four.w;
    int sum = own;
    int lane = threadIdx.x % WARP;
#pragma unroll
    for (int by = 1; by < WARP; by *= 2) {
        int below = __shfl_up_sync(ALL, sum, by);
        if (lane >= by) {
            sum += below;
        }
    }
    if (lane == WARP - 1) {
        ofWarps[threadIdx.x / WARP] = sum;
    }
    __syncthreads();
    int before = sum - own;
#pragma unroll
    for (int warp = 0; warp < WARPS; warp++) {
        before += warp < threadIdx.x / WARP ? ofWarps[warp] : 0;
    }
    if (i < n) {
        *(int4 *)(to + i) = make_int4(before + four.x, before + two, before + three, before + own);
    }
    if (threadIdx.x == THREADS - 1) {
        sums[blockIdx.x] = before + own;
    }
}

extern "C" __global__ void addSums(int n, int *to, const int *sums) {
    int i = 4 * global();
    if (i < n && blockIdx.x > 0) {
        int before = sums[blockIdx.x - 1];
        int4 four = *(const int4 *)(to + i);
        *(int4 *)(to + i) = make_int4(four.x + before, four.y + before, four.z + before, four.w + before);
    }
}
