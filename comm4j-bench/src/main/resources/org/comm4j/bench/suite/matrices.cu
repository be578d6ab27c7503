// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// The kernels of Matrices.java, line for line.

constexpr int TILE = 16;
constexpr int LU = 32;

extern "C" __global__ void gemm(int n, float alpha, float beta, const float *a, const float *b, float *c) {
    __shared__ float tileA[TILE * TILE];
    __shared__ float tileB[TILE * TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int from = 0; from < n; from += TILE) {
        tileA[ty * TILE + tx] = a[row * n + from + tx];
        tileB[ty * TILE + tx] = b[(from + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += tileA[ty * TILE + k] * tileB[k * TILE + tx];
        }
        __syncthreads();
    }
    c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

extern "C" __global__ void multiply(int n, const float *a, const float *b, float *c) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        float sum = 0;
        for (int k = 0; k < n; k++) {
            sum += a[i * n + k] * b[k * n + j];
        }
        c[i * n + j] = sum;
    }
}

extern "C" __global__ void syrk(int n, int depth, float alpha, float beta, const float *__restrict__ a,
                                float *__restrict__ c) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j <= i) {
        float sum = beta * c[i * n + j];
        for (int k = 0; k < depth; k++) {
            sum += alpha * a[i * depth + k] * a[j * depth + k];
        }
        c[i * n + j] = sum;
    }
}

extern "C" __global__ void lud(const float *in, float *out) {
    __shared__ float tile[LU * (LU + 1)];
    int t = threadIdx.x;
    int first = blockIdx.x * LU * LU;
    for (int i = 0; i < LU; i++) {
        tile[i * (LU + 1) + t] = in[first + i * LU + t];
    }
    __syncthreads();
    for (int k = 0; k < LU - 1; k++) {
        if (t > k) {
            float factor = tile[t * (LU + 1) + k] / tile[k * (LU + 1) + k];
            tile[t * (LU + 1) + k] = factor;
            for (int j = k + 1; j < LU; j++) {
                tile[t * (LU + 1) + j] -= factor * tile[k * (LU + 1) + j];
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < LU; i++) {
        out[first + i * LU + t] = tile[i * (LU + 1) + t];
    }
}

extern "C" __global__ void eliminate(int n, int k, const float *a, float *out) {
    int j = blockIdx.x * blockDim.x + threadIdx.x + k;
    int i = blockIdx.y * blockDim.y + threadIdx.y + k + 1;
    if (i < n && j < n) {
        float factor = a[i * n + k] / a[k * n + k];
        out[i * n + j] = a[i * n + j] - factor * a[k * n + j];
    }
}

extern "C" __global__ void floydWarshall(int n, int k, int *distance) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        int through = distance[i * n + k] + distance[k * n + j];
        if (through < distance[i * n + j]) {
            distance[i * n + j] = through;
        }
    }
}

extern "C" __global__ void moments(int rows, int columns, const float *data, float *means, float *deviations) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < columns) {
        float sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += data[i * columns + j];
        }
        float mean = sum / rows;
        float squares = 0;
        for (int i = 0; i < rows; i++) {
            squares += (data[i * columns + j] - mean) * (data[i * columns + j] - mean);
        }
        float deviation = sqrtf(squares / rows);
        means[j] = mean;
        deviations[j] = deviation <= 0.005f ? 1 : deviation;
    }
}

extern "C" __global__ void correlation(int rows, int columns, const float *data, const float *means,
                                       const float *deviations, float *out) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < columns && j < columns) {
        float sum = 0;
        for (int k = 0; k < rows; k++) {
            sum += (data[k * columns + i] - means[i]) * (data[k * columns + j] - means[j]);
        }
        out[i * columns + j] = sum / (rows * deviations[i] * deviations[j]);
    }
}

extern "C" __global__ void mean(int rows, int columns, const double *data, double *means) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < columns) {
        double sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += data[i * columns + j];
        }
        means[j] = sum / rows;
    }
}

extern "C" __global__ void covariance(int rows, int columns, const double *data, const double *means, double *out) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < columns && j <= i) {
        double meanI = means[i];
        double meanJ = means[j];
        double sum = 0;
        for (int k = 0; k < rows; k++) {
            sum += (data[k * columns + i] - meanI) * (data[k * columns + j] - meanJ);
        }
        sum /= rows - 1;
        out[i * columns + j] = sum;
        out[j * columns + i] = sum;
    }
}
