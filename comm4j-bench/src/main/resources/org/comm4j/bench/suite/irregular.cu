// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// The kernels of Irregular.java, line for line.

constexpr int LETTERS = 64;
constexpr int NODES = 16;

extern "C" __global__ void bfs(int n, int level, const int *starts, const int *edges, int *levels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && levels[i] == level) {
        for (int e = starts[i]; e < starts[i + 1]; e++) {
            int to = edges[e];
            if (levels[to] < 0) {
                levels[to] = level + 1;
            }
        }
    }
}

extern "C" __global__ void needlemanWunsch(int penalty, const int *left, const int *right, int *out) {
    __shared__ int scores[(LETTERS + 1) * (LETTERS + 1)];
    int t = threadIdx.x;
    int first = blockIdx.x * LETTERS;
    int own = left[first + t];
    scores[(t + 1) * (LETTERS + 1)] = -penalty * (t + 1);
    scores[t + 1] = -penalty * (t + 1);
    if (t == 0) {
        scores[0] = 0;
    }
    __syncthreads();
    for (int diagonal = 0; diagonal < 2 * LETTERS - 1; diagonal++) {
        int j = diagonal - t;
        if (j >= 0 && j < LETTERS) {
            int match = own == right[first + j] ? 5 : -3;
            int both = scores[t * (LETTERS + 1) + j] + match;
            int one = max(scores[t * (LETTERS + 1) + j + 1], scores[(t + 1) * (LETTERS + 1) + j]) - penalty;
            scores[(t + 1) * (LETTERS + 1) + j + 1] = max(both, one);
        }
        __syncthreads();
    }
    out[first + t] = scores[(t + 1) * (LETTERS + 1) + LETTERS];
}

extern "C" __global__ void backprop(int hidden, const float *input, const float *weights, float *sums) {
    __shared__ float node[NODES];
    __shared__ float product[NODES * NODES];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int index = (hidden + 1) * NODES * blockIdx.y + (hidden + 1) * ty + tx + 1 + (hidden + 1);
    if (tx == 0) {
        node[ty] = input[NODES * blockIdx.y + ty + 1];
    }
    __syncthreads();
    product[ty * NODES + tx] = weights[index] * node[ty];
    __syncthreads();
    for (int power = 2; power <= NODES; power *= 2) {
        if (ty % power == 0) {
            product[ty * NODES + tx] += product[(ty + power / 2) * NODES + tx];
        }
        __syncthreads();
    }
    if (ty == 0) {
        float sum = product[tx];
        sums[blockIdx.y * hidden + tx] = 1 / (1 + expf(-sum));
    }
}

extern "C" __global__ void sha1(int n, int times, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned w[16];
        unsigned word = i;
        for (int round = 0; round < times; round++) {
            for (int k = 0; k < 16; k++) {
                w[k] = 0;
            }
            w[0] = word;
            w[1] = 0x80000000;
            w[15] = 32;
            unsigned a = 0x67452301;
            unsigned b = 0xefcdab89;
            unsigned c = 0x98badcfe;
            unsigned d = 0x10325476;
            unsigned e = 0xc3d2e1f0;
            for (int k = 0; k < 80; k++) {
                if (k >= 16) {
                    unsigned x = w[k + 13 & 15] ^ w[k + 8 & 15] ^ w[k + 2 & 15] ^ w[k & 15];
                    w[k & 15] = x << 1 | x >> 31;
                }
                unsigned f;
                if (k < 20) {
                    f = (b & c | ~b & d) + 0x5a827999;
                } else if (k < 40) {
                    f = (b ^ c ^ d) + 0x6ed9eba1;
                } else if (k < 60) {
                    f = (b & c | b & d | c & d) + 0x8f1bbcdc;
                } else {
                    f = (b ^ c ^ d) + 0xca62c1d6;
                }
                unsigned next = (a << 5 | a >> 27) + f + e + w[k & 15];
                e = d;
                d = c;
                c = b << 30 | b >> 2;
                b = a;
                a = next;
            }
            word = a + 0x67452301;
        }
        out[i] = word;
    }
}
