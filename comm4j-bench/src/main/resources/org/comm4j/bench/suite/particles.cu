// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// The kernels of Particles.java, line for line.

constexpr int THREADS = 256;
constexpr float SOFTENING = 0.01f;
constexpr int BOX = 64;
constexpr int CLUSTERS = 16;
constexpr int FEATURES = 8;
constexpr int SAMPLES = 16;

extern "C" __global__ void nbody(int n, const float4 *__restrict__ bodies, float4 *__restrict__ out) {
    __shared__ float4 tile[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = bodies[i];
    float ax = 0;
    float ay = 0;
    float az = 0;
    for (int from = 0; from < n; from += THREADS) {
        tile[threadIdx.x] = bodies[from + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < THREADS; j++) {
            float4 other = tile[j];
            float dx = other.x - own.x;
            float dy = other.y - own.y;
            float dz = other.z - own.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
            float factor = other.w * inverse * inverse * inverse;
            ax += dx * factor;
            ay += dy * factor;
            az += dz * factor;
        }
        __syncthreads();
    }
    out[i] = make_float4(ax, ay, az, 0);
}

extern "C" __global__ void lavaMd(int boxes, float alpha, const float4 *particles, float4 *out) {
    __shared__ float4 others[BOX];
    int t = threadIdx.x;
    int box = blockIdx.x;
    float4 own = particles[box * BOX + t];
    float v = 0;
    float fx = 0;
    float fy = 0;
    float fz = 0;
    for (int by = -2; by <= 2; by++) {
        int neighbour = (box + by + boxes) % boxes;
        others[t] = particles[neighbour * BOX + t];
        __syncthreads();
        for (int j = 0; j < BOX; j++) {
            float4 other = others[j];
            float dx = own.x - other.x;
            float dy = own.y - other.y;
            float dz = own.z - other.z;
            float square = dx * dx + dy * dy + dz * dz;
            float potential = other.w * expf(-alpha * square);
            float force = 2 * alpha * potential;
            v += potential;
            fx += force * dx;
            fy += force * dy;
            fz += force * dz;
        }
        __syncthreads();
    }
    out[box * BOX + t] = make_float4(v, fx, fy, fz);
}

extern "C" __global__ void kmeans(int n, const float *features, const float *centers, int *membership) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int best = -1;
        float least = 3.402823466e+38f;
        for (int c = 0; c < CLUSTERS; c++) {
            float distance = 0;
            for (int f = 0; f < FEATURES; f++) {
                float difference = features[f * n + i] - centers[c * FEATURES + f];
                distance += difference * difference;
            }
            if (distance < least) {
                least = distance;
                best = c;
            }
        }
        membership[i] = best;
    }
}

extern "C" __global__ void likelihood(int n, int side, const int *image, const float *x, const float *y,
                                      const int *offsets, const float *weights, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int k = 0; k < SAMPLES; k++) {
            int column = (int)floorf(x[i] + 0.5f) + offsets[2 * k];
            int row = (int)floorf(y[i] + 0.5f) + offsets[2 * k + 1];
            int at = abs(row * side + column);
            int pixel = image[at >= side * side ? 0 : at];
            sum += ((pixel - 100) * (pixel - 100) - (pixel - 228) * (pixel - 228)) / 50.0f;
        }
        out[i] = weights[i] * expf(sum / (SAMPLES * 100));
    }
}

extern "C" __global__ void resample(int n, const float *cumulated, const float *x, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float u = (i + 0.5f) / n;
        int low = 0;
        int high = n - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (cumulated[middle] >= u) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        out[i] = x[low];
    }
}
