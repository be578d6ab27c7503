// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// One of everything that the generator of device declarations has to understand.
#pragma once

#include "features_detail.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#define FEATURE_LANES 32
#define FEATURE_MASK 0xffffffffu
#define FEATURE_BITS (1ull << 40)
#define FEATURE_SCALE 1.5f
#define FEATURE_EPSILON 1e-12
#define FEATURE_NAME "features"
#define FEATURE_CALL(x) (x)
#define FEATURE_QUALIFIERS static __forceinline__ __device__
#define FEATURE_EACH(type) FEATURE_QUALIFIERS type feature_twice_##type(type x) { return x + x; }

constexpr int feature_block = FEATURE_LANES * 8;
constexpr double feature_third = 1.0 / 3;
constexpr bool feature_on = true;

typedef unsigned int feature_word;
using feature_real = float;

/** How to round. */
enum FeatureRounding { FEATURE_NEAREST, FEATURE_DOWN, FEATURE_UP };

/** May be or'ed. */
enum class FeatureFlags : unsigned { none = 0, fast = 1, safe = 2, both = fast | safe, high = 0x80000000u };

/** A point in the plane. */
struct FeaturePoint {
    float x; ///< to the right
    double y;
};

struct FeatureSegment {
    FeaturePoint from, to;
    signed char tag;
};

struct alignas(16) FeatureRow {
    int count;
    short values[4];
    float4 wide;
};

/** A generator's state: kernels only pass it on. */
struct FeatureState {
    unsigned long long seed[20];
    unsigned step : 5;
    unsigned spare : 27;
};
typedef FeatureState FeatureState_t;

union FeatureEither {
    float f;
    int i;
};

// Macros make functions, too.
FEATURE_EACH(int)
FEATURE_EACH(float)
FEATURE_EACH(double)

/**
 * Scales a number.
 *
 * The factor is \c FEATURE_SCALE & nothing < that.
 *
 * \param x what to scale
 * \return the product
 */
FEATURE_QUALIFIERS feature_real feature_scale(feature_real x) {
    return x * FEATURE_SCALE;
}

// Overloads: of types that Java tells apart, and of those that it does not.
__device__ inline int feature_abs(int x) {
    return x < 0 ? -x : x;
}
__device__ inline float feature_abs(float x) {
    return x < 0 ? -x : x;
}
__device__ inline feature_word feature_half(feature_word x) {
    return x / 2;
}
__device__ inline int feature_half(int x) {
    return x / 2;
}

// Structs by value, in pointers, as references.
__device__ inline FeaturePoint feature_mirror(FeaturePoint p) {
    return {-p.x, -p.y};
}
__device__ inline double feature_length(const FeatureSegment& s) {
    double dx = s.to.x - s.from.x, dy = s.to.y - s.from.y;
    return dx * dx + dy * dy;
}
__device__ inline FeatureSegment feature_join(FeaturePoint a, const FeaturePoint* b) {
    return {a, *b, 7};
}
__device__ inline void feature_shift(FeaturePoint& p, float by) {
    p.x += by;
}
__device__ inline FeatureRow feature_row(FeatureRow row) {
    row.count++;
    row.values[3] = (short) row.count;
    row.wide.w = row.wide.x;
    return row;
}
__device__ inline float4 feature_splat(float x) {
    return make_float4(x, x, x, x);
}
__device__ inline float2 feature_swap(float2 v) {
    return make_float2(v.y, v.x);
}

// In, in and out, out.
__device__ inline void feature_split(double x, int* whole, double* rest) {
    *whole = (int) x;
    *rest = x - *whole;
}
__device__ inline bool feature_next(FeatureState_t* state, unsigned* out) {
    *out = (unsigned) state->seed[state->step++ % 20];
    return state->step == 0;
}
__device__ inline void feature_init(unsigned long long seed, FeatureState* state) {
    for (int i = 0; i < 20; i++) {
        state->seed[i] = seed + i;
    }
    state->step = 0;
}
__device__ inline void feature_clear(void* at, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        ((char*) at)[i] = 0;
    }
}
__device__ inline const float* feature_find(const float* a, float x) {
    while (*a != x) {
        a++;
    }
    return a;
}
__device__ inline void* feature_advance(void* at, long bytes) {
    return (char*) at + bytes;
}

// Enums, small numbers, truth.
__device__ inline int feature_round(float x, FeatureRounding mode) {
    return mode == FEATURE_NEAREST ? __float2int_rn(x) : mode == FEATURE_DOWN ? __float2int_rd(x) : __float2int_ru(x);
}
__device__ inline FeatureFlags feature_flags(bool fast, FeatureFlags more) {
    return (FeatureFlags) ((unsigned) more | (fast ? 1 : 0));
}
__device__ inline unsigned char feature_wrap(unsigned char a, short b, char c) {
    return (unsigned char) (a + b + c);
}

// The small floating-point types.
__device__ inline __half feature_sum(__half a, __half b) {
    return __hadd(a, b);
}
__device__ inline __half2 feature_sum(__half2 a, __half2 b) {
    return __hadd2(a, b);
}
__device__ inline __nv_bfloat16 feature_sum(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __hadd(a, b);
}
__device__ inline float feature_widen(__nv_fp8_e4m3 x) {
    return (float) x;
}
__device__ inline void feature_store(__half* out, const __nv_bfloat16* a, const __nv_fp8_e5m2* b) {
    *out = __float2half(__bfloat162float(*a) + (float) *b);
}

/** A class with all that classes have. */
class FeatureComplex {
public:
    __device__ FeatureComplex() : re(0), im(0) {}
    /** From its parts. */
    __device__ FeatureComplex(float re, float im) : re(re), im(im) {}
    __device__ explicit FeatureComplex(FeaturePoint p) : re(p.x), im((float) p.y) {}

    /** The square of the absolute value. */
    __device__ float norm() const {
        return re * re + im * im;
    }
    __device__ void conjugate() {
        im = -im;
    }
    __device__ FeatureComplex& operator+=(const FeatureComplex& other) {
        re += other.re;
        im += other.im;
        return *this;
    }
    __device__ FeatureComplex operator-() const {
        return FeatureComplex(-re, -im);
    }
    __device__ operator float() const {
        return re;
    }
    __device__ operator FeaturePoint() const {
        return {re, im};
    }
    __device__ static FeatureComplex unit() {
        return FeatureComplex(0, 1);
    }

private:
    __device__ void secret() {}
    float re, im;
};
__device__ inline FeatureComplex operator*(const FeatureComplex& a, float s) {
    FeatureComplex c(s, 0);
    c += a;
    return c;
}
__device__ inline bool operator==(FeatureComplex a, FeatureComplex b) {
    return a.norm() == b.norm();
}

namespace feature {
/** In a namespace. */
__device__ inline int inside(int x) {
    return x + feature_detail::base();
}
struct Pair {
    int a;
    int b;
};
__device__ inline Pair pair(int a, int b) {
    return {a, b};
}
} // namespace feature

// Templates.
template <typename T>
__device__ inline T feature_clamp(T x, T low, T high) {
    return x < low ? low : x > high ? high : x;
}
template <int N, typename T = float>
__device__ inline T feature_power(T x) {
    T y = x;
    for (int i = 1; i < N; i++) {
        y *= x;
    }
    return y;
}
template <typename T, int N>
struct FeatureVector {
    T at[N];
    __device__ T sum() const {
        T s = 0;
        for (int i = 0; i < N; i++) {
            s += at[i];
        }
        return s;
    }
};

// What cannot be called from Java, each for its reason.
__device__ int feature_printf(const char* format, ...);
__device__ inline int feature_apply(int (*f)(int), int x) {
    return f(x);
}
__device__ inline int feature_either(FeatureEither e) {
    return e.i;
}
__global__ void feature_kernel(float* x) {
    *x = 1;
}
// NVRTC refuses these.
#ifndef __CUDACC_RTC__
__device__ inline __int128 feature_wide(__int128 x) {
    return x;
}
inline int feature_host(int x) {
    return x;
}
#endif
