// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// Runs kernels as a grid of threads, one after the other. Intrinsics and functions of libdevice do what PTX says that its instructions do.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 44, BLOCK = 16, GRID = 3, SLOTS = 16, RESULTS = ELEMENTS * SLOTS, NUMBERS = ELEMENTS * 4 };

typedef void kernel(int8_t *, int16_t *, int32_t *, int64_t *, float *, double *, int32_t *, int64_t *, float *,
        double *, int8_t, int8_t, int16_t, uint16_t, float, double, int64_t, int32_t);

/*DECLARATIONS*/

static kernel *kernels[] = {/*KERNELS*/};

static int thread, block;

int32_t tid(void) __asm__("nvvm.read.ptx.sreg.tid.x");
int32_t tid(void) { return thread; }
int32_t ctaid(void) __asm__("nvvm.read.ptx.sreg.ctaid.x");
int32_t ctaid(void) { return block; }
int32_t ntid(void) __asm__("nvvm.read.ptx.sreg.ntid.x");
int32_t ntid(void) { return BLOCK; }
int32_t nctaid(void) __asm__("nvvm.read.ptx.sreg.nctaid.x");
int32_t nctaid(void) { return GRID; }

// Conversions saturate. NaN becomes 0 only from float to 32 bits.
int32_t f2i(float x) __asm__("nvvm.f2i.rz");
int32_t f2i(float x) {
    return x != x ? 0 : x >= 0x1p31f ? INT32_MAX : x < -0x1p31f ? INT32_MIN : (int32_t)x;
}
int32_t d2i(double x) __asm__("nvvm.d2i.rz");
int32_t d2i(double x) {
    return x != x ? INT32_MIN : x >= 0x1p31 ? INT32_MAX : x <= -0x1p31 ? INT32_MIN : (int32_t)x;
}
int64_t f2ll(float x) __asm__("nvvm.f2ll.rz");
int64_t f2ll(float x) {
    return x != x ? INT64_MIN : x >= 0x1p63f ? INT64_MAX : x < -0x1p63f ? INT64_MIN : (int64_t)x;
}
int64_t d2ll(double x) __asm__("nvvm.d2ll.rz");
int64_t d2ll(double x) {
    return x != x ? INT64_MIN : x >= 0x1p63 ? INT64_MAX : x < -0x1p63 ? INT64_MIN : (int64_t)x;
}

// The number if the other is NaN; +0 is larger than -0.
float __nv_fmaxf(float a, float b) { return a != a ? b : b != b ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b; }
float __nv_fminf(float a, float b) { return a != a ? b : b != b ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b; }
double __nv_fmax(double a, double b) { return a != a ? b : b != b ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b; }
double __nv_fmin(double a, double b) { return a != a ? b : b != b ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b; }
float __nv_fabsf(float x) { return fabsf(x); }
double __nv_fabs(double x) { return fabs(x); }
float __nv_sqrtf(float x) { return sqrtf(x); }
double __nv_sqrt(double x) { return sqrt(x); }
float __nv_floorf(float x) { return floorf(x); }
double __nv_floor(double x) { return floor(x); }
float __nv_ceilf(float x) { return ceilf(x); }
double __nv_ceil(double x) { return ceil(x); }
float __nv_rintf(float x) { return rintf(x); }
double __nv_rint(double x) { return rint(x); }
float __nv_fmaf(float a, float b, float c) { return fmaf(a, b, c); }
double __nv_fma(double a, double b, double c) { return fma(a, b, c); }
float __nv_fmodf(float a, float b) { return fmodf(a, b); }
double __nv_fmod(double a, double b) { return fmod(a, b); }
int64_t __nv_mul64hi(int64_t a, int64_t b) { return (int64_t)(((__int128)a * b) >> 64); }
uint64_t __nv_umul64hi(uint64_t a, uint64_t b) { return (uint64_t)(((unsigned __int128)a * b) >> 64); }
uint64_t __nv_brevll(uint64_t x) {
    uint64_t reversed = 0;
    for (int i = 0; i < 64; i++) {
        reversed = reversed << 1 | (x >> i & 1);
    }
    return reversed;
}
uint32_t __nv_brev(uint32_t x) { return (uint32_t)(__nv_brevll(x) >> 32); }

void __assertfail(const char *message, const char *file, uint32_t line, const char *function, uint64_t size) {
    printf("%s at %s (%s:%u)\n", message, function, file, line);
    exit(3);
}

static int8_t bytes[NUMBERS];
static int16_t shorts[NUMBERS];
static int32_t ints[NUMBERS];
static int64_t longs[NUMBERS];
static float floats[NUMBERS];
static double doubles[NUMBERS];
static int32_t oi[RESULTS];
static int64_t ol[RESULTS];
static float of[RESULTS];
static double od[RESULTS];

static void get(void *to, size_t size, FILE *in) {
    if (fread(to, 1, size, in) != size) {
        puts("too few numbers");
        exit(2);
    }
}

int main(void) {
    FILE *in = fopen("in", "rb");
    get(bytes, sizeof bytes, in);
    get(shorts, sizeof shorts, in);
    get(ints, sizeof ints, in);
    get(longs, sizeof longs, in);
    get(floats, sizeof floats, in);
    get(doubles, sizeof doubles, in);
    fclose(in);
    FILE *out = fopen("out", "wb");
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        memset(oi, 0, sizeof oi);
        memset(ol, 0, sizeof ol);
        memset(of, 0, sizeof of);
        memset(od, 0, sizeof od);
        for (block = 0; block < GRID; block++) {
            for (thread = 0; thread < BLOCK; thread++) {
                kernels[k](bytes, shorts, ints, longs, floats, doubles, oi, ol, of, od, -77, 1, 31234, 54321, -1.75f, 1e-3,
                        -0x123456789abcdefL, ELEMENTS);
            }
        }
        fwrite(oi, sizeof oi, 1, out);
        fwrite(ol, sizeof ol, 1, out);
        fwrite(of, sizeof of, 1, out);
        fwrite(od, sizeof od, 1, out);
    }
    return fclose(out);
}
