// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// A grid's rows are `pitch` floats apart, of which `nx` belong to it; `pitch` is a multiple of 32. The first and the last rows hold
// what the neighbours compute.

// Writes the fixed values of all rows into their first and last column.
extern "C" __global__ void start(float* grid, const float* values, int nx, long long pitch, int rows) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < rows) {
        grid[y * pitch] = values[y];
        grid[y * pitch + nx - 1] = values[y];
    }
}

// One iteration for some rows. A thread marches down over four columns with three rows in registers, so that every row is read once
// by each block; neighbours in a row come from the neighbouring lanes. Block y works on `rows` rows from first + y * step on, but
// none from `last` on. The squares of all changes are added to *squares, if it is not null.
//
// The order of the additions is that of the solver for processors: both give the same grid, bit for bit.
extern "C" __global__ void __launch_bounds__(128) relax(
    const float* __restrict__ in, float* __restrict__ out, double* squares,
    int nx, long long pitch, int first, int step, int rows, int last) {
    const int lane = threadIdx.x & 31;
    const int column = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    // Threads beyond the end of the rows only take part in exchanges.
    const bool inside = column < pitch;
    const bool changesX = column > 0 && column < nx - 1;
    const bool changesY = column + 1 < nx - 1;
    const bool changesZ = column + 2 < nx - 1;
    const bool changesW = column + 3 < nx - 1;
    const bool readsLeft = lane == 0 && inside && column > 0;
    const bool readsRight = lane == 31 && column + 4 < pitch;
    const int begin = first + blockIdx.y * step;
    const int end = min(begin + rows, last);
    const float4 none = make_float4(0, 0, 0, 0);
    const float* above = in + (begin - 1) * pitch + column;
    float4 up = inside ? *(const float4*) above : none;
    float4 mid = inside ? *(const float4*) (above + pitch) : none;
    const float* row = above + pitch;
    float* target = out + begin * pitch + column;
    double sum = 0;
#pragma unroll 4
    for (int y = begin; y < end; y++) {
        const float4 down = inside ? *(const float4*) (row + pitch) : none;
        float left = __shfl_up_sync(0xffffffffu, mid.w, 1);
        float right = __shfl_down_sync(0xffffffffu, mid.x, 1);
        if (readsLeft) {
            left = row[-1];
        }
        if (readsRight) {
            right = row[4];
        }
        float4 next;
        next.x = changesX ? 0.25f * (mid.y + left + down.x + up.x) : mid.x;
        next.y = changesY ? 0.25f * (mid.z + mid.x + down.y + up.y) : mid.y;
        next.z = changesZ ? 0.25f * (mid.w + mid.y + down.z + up.z) : mid.z;
        next.w = changesW ? 0.25f * (right + mid.z + down.w + up.w) : mid.w;
        if (inside) {
            *(float4*) target = next;
        }
        const float x = next.x - mid.x;
        const float y1 = next.y - mid.y;
        const float z = next.z - mid.z;
        const float w = next.w - mid.w;
        sum += x * x + y1 * y1 + (z * z + w * w);
        up = mid;
        mid = down;
        row += pitch;
        target += pitch;
    }
    if (squares == nullptr) {
        return;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    }
    __shared__ double warps[4];
    if (lane == 0) {
        warps[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned warp = 1; warp < blockDim.x / 32; warp++) {
            sum += warps[warp];
        }
        atomicAdd(squares, sum);
    }
}

// Four points of a row after an iteration, of those that change. Neighbours in the row come from the neighbouring lanes.
struct Changes {
    bool x, y, z, w;
};

template <bool FIXED>
__device__ __forceinline__ float4 relaxed(float4 up, float4 mid, float4 down, Changes changes) {
    const float left = __shfl_up_sync(0xffffffffu, mid.w, 1);
    const float right = __shfl_down_sync(0xffffffffu, mid.x, 1);
    float4 next;
    next.x = 0.25f * (mid.y + left + down.x + up.x);
    next.y = 0.25f * (mid.z + mid.x + down.y + up.y);
    next.z = 0.25f * (mid.w + mid.y + down.z + up.z);
    next.w = 0.25f * (right + mid.z + down.w + up.w);
    if (FIXED) {
        next.x = changes.x ? next.x : mid.x;
        next.y = changes.y ? next.y : mid.y;
        next.z = changes.z ? next.z : mid.z;
        next.w = changes.w ? next.w : mid.w;
    }
    return next;
}

// A warp's way down over 128 columns, T iterations deep: with every row that comes in, iteration t computes a row, t rows above it,
// from three rows of iteration t - 1 that stay in registers. To give rows `begin` to `end` - 1 after T iterations, it begins T rows
// above them and ends T rows below, and computes there again what other warps compute, too. So also at both ends of its columns: the
// outer lanes have no neighbour on one side, and what they get wrong spreads by a column an iteration.
//
// NORMS: whether squares of changes are added up. FIXED: whether columns that do not change, or are none, are among the 128.
template <int T, bool NORMS, bool FIXED>
struct March {
    const float* source;
    float* target;
    long long pitch;
    bool reads;
    bool writes;
    Changes changes;
    // Rows that are to come in, and how many have.
    int total;
    int step = 0;
    // Iteration t reads window[t], of which three rows take turns.
    float4 window[T][3] = {};
    float4 ahead[3];
    double sums[T] = {};

    __device__ __forceinline__ float4 read(int row) const {
        return !FIXED || reads ? *(const float4*) (source + row * pitch) : make_float4(0, 0, 0, 0);
    }

    __device__ __forceinline__ void run() {
#pragma unroll
        for (int i = 0; i < 3; i++) {
            ahead[i] = read(i);
        }
        // Of the steps in between all iterations compute rows that count, and there are rows to read ahead.
        const int steady = min(total - T + 1, total - 3) - 3;
#pragma unroll 1
        while (step < total) {
            if (step >= 2 * T) {
#pragma unroll 1
                while (step <= steady) {
                    three<true>();
                }
            }
            if (step < total) {
                three<false>();
            }
        }
    }

    template <bool STEADY>
    __device__ __forceinline__ void three() {
        float parts[T] = {};
#pragma unroll
        for (int i = 0; i < 3; i++) {
            const int now = step + i;
            window[0][(i + 2) % 3] = ahead[i];
            if (STEADY || now + 3 < total) {
                ahead[i] = read(i + 3);
            }
#pragma unroll
            for (int t = 0; t < T; t++) {
                // Earlier, the rows above are not there yet.
                if (STEADY || (now >= 2 * t + 2 && now < total)) {
                    const float4 mid = window[t][(i + 1) % 3];
                    const float4 next = relaxed<FIXED>(window[t][i], mid, window[t][(i + 2) % 3], changes);
                    if (NORMS && (STEADY || (now > T + t && now <= total - T + t))) {
                        const float x = next.x - mid.x;
                        const float y = next.y - mid.y;
                        const float z = next.z - mid.z;
                        const float w = next.w - mid.w;
                        parts[t] = x * x + (y * y + (z * z + (w * w + parts[t])));
                    }
                    if (t + 1 < T) {
                        window[t + 1][(i + 2) % 3] = next;
                    } else if (writes) {
                        *(float4*) (target + i * pitch) = next;
                    }
                }
            }
        }
        if (NORMS) {
#pragma unroll
            for (int t = 0; t < T; t++) {
                sums[t] += parts[t];
            }
        }
        step += 3;
        source += 3 * pitch;
        target += 3 * pitch;
    }
};

// T iterations for some rows, as `relax` does one; squares has T sums. `in` must have T rows above and below those that are computed.
template <int T>
__device__ __forceinline__ void sweep(
    const float* __restrict__ in, float* __restrict__ out, double* squares,
    int nx, long long pitch, int first, int step, int rows, int last) {
    const int outer = (T + 3) / 4;
    const int own = 4 * (32 - 2 * outer);
    const int lane = threadIdx.x & 31;
    const int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const int left = warp * own - 4 * outer;
    const int column = left + 4 * lane;
    const int begin = first + blockIdx.y * step;
    const int end = min(begin + rows, last);
    const bool owner = lane >= outer && lane < 32 - outer;
    double sums[T] = {};

    auto march = [&](auto way) {
        way.source = in + (begin - T) * pitch + column;
        // What comes out first is ignored.
        way.target = out + (begin - 2 * T) * pitch + column;
        way.pitch = pitch;
        way.reads = column >= 0 && column < pitch;
        way.writes = owner && column < pitch;
        way.changes = {
            column > 0 && column < nx - 1, column >= 0 && column + 1 < nx - 1, column >= 0 && column + 2 < nx - 1,
            column >= 0 && column + 3 < nx - 1};
        way.total = end - begin + 2 * T;
        way.run();
        for (int t = 0; t < T; t++) {
            sums[t] = owner ? way.sums[t] : 0;
        }
    };
    if (left + 4 * outer < nx) {
        const bool fixed = warp == 0 || left + 128 >= nx;
        if (squares != nullptr) {
            if (fixed) {
                march(March<T, true, true>());
            } else {
                march(March<T, true, false>());
            }
        } else if (fixed) {
            march(March<T, false, true>());
        } else {
            march(March<T, false, false>());
        }
    }
    if (squares == nullptr) {
        return;
    }
    __shared__ double warps[4][T];
    for (int t = 0; t < T; t++) {
        for (int distance = 16; distance > 0; distance /= 2) {
            sums[t] += __shfl_down_sync(0xffffffffu, sums[t], distance);
        }
        if (lane == 0) {
            warps[threadIdx.x / 32][t] = sums[t];
        }
    }
    __syncthreads();
    if (threadIdx.x < T) {
        double sum = 0;
        for (unsigned warp = 0; warp < blockDim.x / 32; warp++) {
            sum += warps[warp][threadIdx.x];
        }
        atomicAdd(squares + threadIdx.x, sum);
    }
}

#define SWEEP(T, BLOCKS)                                                                                     \
    extern "C" __global__ void __launch_bounds__(128, BLOCKS) relax##T(                                       \
        const float* __restrict__ in, float* __restrict__ out, double* squares,                               \
        int nx, long long pitch, int first, int step, int rows, int last) {                                   \
        sweep<T>(in, out, squares, nx, pitch, first, step, rows, last);                                       \
    }

// Only what is asked for: each takes seconds to compile.
#if DEPTH == 2 || !defined(DEPTH)
SWEEP(2, 6)
#endif
#if DEPTH == 4 || !defined(DEPTH)
SWEEP(4, 4)
#endif
#if DEPTH == 8 || !defined(DEPTH)
SWEEP(8, 3)
#endif

// The sums of a graph's iterations go to where they belong, and the graph's own places are empty again.
extern "C" __global__ void collect(double* sums, double* history, long long* position, int count) {
    const long long from = *position;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        history[from + i] = sums[i];
        sums[i] = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        *position = from + count;
    }
}
