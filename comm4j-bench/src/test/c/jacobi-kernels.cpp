// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// The kernels of jacobi.cu, on a processor, against a plain loop: grids of many sizes with random values, cut into blocks in many
// ways. Arguments: the seed, and how many grids.

#include "warps.h"
#include JACOBI
#include <cmath>
#include <random>

typedef void Relax(const float*, float*, double*, int, long long, int, int, int, int);

static std::mt19937 engine;

static int any(int from, int to) { return std::uniform_int_distribution<>(from, to)(engine); }

static int wrong(const char* what, int t, int nx, int rows, int each, int warps, int row, int column) {
    printf("%s: %d iterations, %d x %d, blocks of %d rows and %d warps: row %d, column %d\n",
            what, t, nx, rows, each, warps, row, column);
    return 1;
}

static int compare(Relax* kernel, int t) {
    const int nx = any(0, 3) ? any(3, 300) : any(3, 1100);
    const int rows = any(0, 3) ? any(t, 30) : any(t, 150);
    const int pitch = (nx + 31) / 32 * 32;
    const int first = t + any(0, 3);
    const int all = first + rows + t + any(0, 3);
    // What must not be read would make everything after it NaN, and the columns up to the pitch are zero.
    std::vector<float> in((size_t) all * pitch, NAN), out((size_t) all * pitch, -7);
    for (int y = first - t; y < first + rows + t; y++) {
        for (int x = 0; x < pitch; x++) {
            in[y * pitch + x] = x < nx ? std::uniform_real_distribution<float>(-1, 1)(engine) : 0;
        }
    }
    std::vector<float> expected = in;
    std::vector<double> squares(t);
    for (int i = 0; i < t; i++) {
        std::vector<float> next = expected;
        for (int y = first - t + i + 1; y < first + rows + t - i - 1; y++) {
            for (int x = 1; x < nx - 1; x++) {
                const float* a = &expected[y * pitch + x];
                next[y * pitch + x] = 0.25f * (a[1] + a[-1] + a[pitch] + a[-pitch]);
                const double change = next[y * pitch + x] - *a;
                squares[i] += y >= first && y < first + rows ? change * change : 0;
            }
        }
        expected = next;
    }
    // Rows by blocks, as for a whole slab, or the outer ones only.
    const bool outer = rows >= 2 * t && any(0, 3) == 0;
    const int each = outer ? t : any(1, any(1, 100));
    const int step = outer ? rows - t : each;
    const unsigned below = outer ? 2 : (rows + each - 1) / each;
    const int warps = any(1, 4);
    const int own = t == 1 ? 128 : 128 - 8 * ((t + 3) / 4);
    const unsigned beside = ((t == 1 ? pitch : nx) + own * warps - 1) / (own * warps);
    std::vector<double> sums(t, 1);
    const bool norms = any(0, 3);
    warps::run({beside, below}, {32u * warps}, [&] {
        kernel(in.data(), out.data(), norms ? sums.data() : nullptr, nx, pitch, first, step, each, first + rows);
    });
    std::vector<double> outerSquares(t);
    for (int y = 0; y < all; y++) {
        const bool computed = y >= first && y < first + rows && !(outer && y >= first + t && y < first + rows - t);
        for (int x = 0; x < pitch; x++) {
            const float value = out[y * pitch + x];
            // What fills a row up to the pitch may be written, too.
            if (value != (computed && x < nx ? expected[y * pitch + x] : -7) && (!computed || x < nx || value != 0)) {
                return wrong("value", t, nx, rows, each, warps, y - first, x);
            }
        }
    }
    for (int i = 0; i < t; i++) {
        const double sum = sums[i] - 1;
        if (norms && !outer ? std::fabs(sum - squares[i]) > 1e-5 * squares[i] : !norms && sum != 0) {
            return wrong("norm", t, nx, rows, each, warps, i, -1);
        }
    }
    return 0;
}

int main(int, char** arguments) {
    const int seed = atoi(arguments[1]);
    engine.seed(seed);
    Relax* const kernels[] = {relax, relax2, relax4, relax8};
    int bad = 0;
    for (int i = 0; i < atoi(arguments[2]); i++) {
        const int which = any(0, 3);
        bad += compare(kernels[which], 1 << which);
    }
    printf("seed %d: %d wrong\n", seed, bad);
    return bad != 0;
}
