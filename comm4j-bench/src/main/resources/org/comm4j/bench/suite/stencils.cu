// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// The kernels of Stencils.java, line for line.

constexpr int RADIUS = 2;
constexpr int WIDTH = 2 * RADIUS + 1;
__constant__ float WEIGHTS[] = {0.01f, 0.02f, 0.03f, 0.02f, 0.01f, 0.02f, 0.06f, 0.08f, 0.06f,
                                0.02f, 0.03f, 0.08f, 0.12f, 0.08f, 0.03f, 0.02f, 0.06f, 0.08f,
                                0.06f, 0.02f, 0.01f, 0.02f, 0.03f, 0.02f, 0.01f};
constexpr int PATH_THREADS = 256;
constexpr int PATH_ROWS = 20;

extern "C" __global__ void convolution(int width, int height, const float *in, float *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float sum = 0;
        for (int dy = -RADIUS; dy <= RADIUS; dy++) {
            for (int dx = -RADIUS; dx <= RADIUS; dx++) {
                int column = x + dx;
                int row = y + dy;
                if (column >= 0 && column < width && row >= 0 && row < height) {
                    sum += WEIGHTS[(dy + RADIUS) * WIDTH + dx + RADIUS] * in[row * width + column];
                }
            }
        }
        out[y * width + x] = sum;
    }
}

extern "C" __global__ void hotspot(int width, int height, float step, const float *temperature, const float *power,
                                   float *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int west = max(x - 1, 0);
        int east = min(x + 1, width - 1);
        int north = max(y - 1, 0);
        int south = min(y + 1, height - 1);
        float t = temperature[y * width + x];
        float vertical = temperature[south * width + x] + temperature[north * width + x] - 2 * t;
        float horizontal = temperature[y * width + east] + temperature[y * width + west] - 2 * t;
        out[y * width + x] =
            t + step * (power[y * width + x] + 0.3f * vertical + 0.2f * horizontal + 0.1f * (80 - t));
    }
}

__device__ float coefficient(float center, float n, float s, float w, float e, float q0) {
    float dn = n - center;
    float ds = s - center;
    float dw = w - center;
    float de = e - center;
    float gradient = (dn * dn + ds * ds + dw * dw + de * de) / (center * center);
    float laplacian = (dn + ds + dw + de) / center;
    float numerator = 0.5f * gradient - 0.0625f * laplacian * laplacian;
    float denominator = 1 + 0.25f * laplacian;
    float q = numerator / (denominator * denominator);
    float c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    return fminf(fmaxf(c, 0), 1);
}

extern "C" __global__ void srad(int side, float q0, const float *__restrict__ image, float *__restrict__ out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < side && y < side) {
        int north = y == 0 ? y : y - 1;
        int south = y == side - 1 ? y : y + 1;
        int west = x == 0 ? x : x - 1;
        int east = x == side - 1 ? x : x + 1;
        out[y * side + x] = coefficient(image[y * side + x], image[north * side + x], image[south * side + x],
                                        image[y * side + west], image[y * side + east], q0);
    }
}

extern "C" __global__ void fieldY(int side, float source, float *ey, const float *hz) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < side && j < side) {
        if (i == 0) {
            ey[i * side + j] = source;
        } else {
            ey[i * side + j] = ey[i * side + j] - 0.5f * (hz[i * side + j] - hz[(i - 1) * side + j]);
        }
    }
}

extern "C" __global__ void fieldX(int side, float *ex, const float *hz) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < side && j > 0 && j < side) {
        ex[i * side + j] = ex[i * side + j] - 0.5f * (hz[i * side + j] - hz[i * side + j - 1]);
    }
}

extern "C" __global__ void fieldZ(int side, const float *ex, const float *ey, float *hz) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < side - 1 && j < side - 1) {
        hz[i * side + j] = hz[i * side + j] - 0.7f * (ex[i * side + j + 1] - ex[i * side + j] +
                                                      ey[(i + 1) * side + j] - ey[i * side + j]);
    }
}

extern "C" __global__ void jacobi(int side, const double *in, double *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 1 && x < side - 1 && y >= 1 && y < side - 1) {
        out[y * side + x] = 0.2 * (in[y * side + x] + in[y * side + x - 1] + in[y * side + x + 1] +
                                   in[(y + 1) * side + x] + in[(y - 1) * side + x]);
    }
}

extern "C" __global__ void heat3d(int side, const float *in, float *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 1 && x < side - 1 && y >= 1 && y < side - 1) {
        int plane = side * side;
        int at = y * side + x;
        float above = in[at];
        float here = in[at + plane];
        for (int z = 1; z < side - 1; z++) {
            at += plane;
            float below = in[at + plane];
            out[at] = here + 0.125f * (below - 2 * here + above) +
                      0.125f * (in[at + side] - 2 * here + in[at - side]) +
                      0.125f * (in[at + 1] - 2 * here + in[at - 1]);
            above = here;
            here = below;
        }
    }
}

extern "C" __global__ void pathfinder(int width, int first, int rows, const int *wall, const int *from, int *to) {
    __shared__ int old[PATH_THREADS];
    __shared__ int now[PATH_THREADS];
    int t = threadIdx.x;
    int x = blockIdx.x * (PATH_THREADS - 2 * PATH_ROWS) - PATH_ROWS + t;
    bool inside = x >= 0 && x < width;
    if (inside) {
        old[t] = from[x];
    }
    __syncthreads();
    int left = max(t - 1, x >= 0 ? max(t - x, 0) : t);
    int right = min(t + 1, x < width ? min(t + width - 1 - x, PATH_THREADS - 1) : t);
    for (int i = 0; i < rows; i++) {
        bool computed = inside && t > i && t < PATH_THREADS - 1 - i;
        if (computed) {
            int least = min(old[left], min(old[t], old[right]));
            now[t] = least + wall[(first + i) * width + x];
        }
        __syncthreads();
        if (computed) {
            old[t] = now[t];
        }
        __syncthreads();
    }
    if (inside && t >= PATH_ROWS && t < PATH_THREADS - PATH_ROWS) {
        to[x] = old[t];
    }
}
