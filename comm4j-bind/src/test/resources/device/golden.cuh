// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

#pragma once

#define GOLDEN_LANES 32

/** The way. */
enum GoldenWay { GOLDEN_UP, GOLDEN_DOWN };

/** Two numbers. */
struct GoldenPair {
    int a;    ///< the first
    float b;  ///< the second
};

struct GoldenState {
    unsigned word : 3;
};

/**
 * Adds.
 *
 * \param x one summand
 * \param y the other
 * \return the sum
 */
__device__ inline float golden_add(float x, float y) {
    return x + y;
}
__device__ inline GoldenPair golden_swap(const GoldenPair& pair, bool really) {
    return really ? GoldenPair{(int) pair.b, (float) pair.a} : pair;
}
__device__ inline void golden_step(GoldenState* state, GoldenWay way, double* out) {
    state->word += way == GOLDEN_UP ? 1 : 7;
    *out = state->word;
}
