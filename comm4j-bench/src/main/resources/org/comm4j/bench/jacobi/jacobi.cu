// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// A grid's rows are `pitch` floats apart, of which `nx` belong to it; `pitch` is a multiple of 32. Row 0 and the last one hold
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
        for (int warp = 1; warp < blockDim.x / 32; warp++) {
            sum += warps[warp];
        }
        atomicAdd(squares, sum);
    }
}

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
