// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

// What libdevice's functions of float need of a GPU: PTX's instructions, those with .approx as exact as can be.

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int32_t __nvvm_reflect(const char *name) { return strcmp(name, "__CUDA_FTZ") == 0 ? 0 : strcmp(name, "__CUDA_ARCH") == 0 ? 900 : 1; }

#define F1(name, text, e) float name##1(float x) __asm__(text); float name##1(float x) { return e; }
#define F2(name, text, e) float name##2(float x, float y) __asm__(text); float name##2(float x, float y) { return e; }
#define BOTH1(name, op, e) F1(name, "nvvm." op ".f", e) F1(name##_ftz, "nvvm." op ".ftz.f", e)
#define BOTH2(name, op, e) F2(name, "nvvm." op ".f", e) F2(name##_ftz, "nvvm." op ".ftz.f", e)

static float directed(int mode, int op, float x, float y, float z) {
    int before = fegetround();
    fesetround(mode);
    volatile float a = x, b = y, c = z, r;
    r = op == 0 ? a + b : op == 1 ? a * b : fmaf(a, b, c);
    fesetround(before);
    return r;
}

BOTH2(add_rn, "add.rn", x + y)
BOTH2(add_rz, "add.rz", directed(FE_TOWARDZERO, 0, x, y, 0))
BOTH2(mul_rn, "mul.rn", x *y)
BOTH2(mul_rz, "mul.rz", directed(FE_TOWARDZERO, 1, x, y, 0))
BOTH2(div_approx, "div.approx", x / y)
BOTH2(div_rn, "div.rn", x / y)
BOTH2(fmax, "fmax", fmaxf(x, y))
BOTH2(fmin, "fmin", fminf(x, y))
BOTH1(ceil, "ceil", ceilf(x))
BOTH1(floor, "floor", floorf(x))
BOTH1(fabs, "fabs", fabsf(x))
BOTH1(ex2, "ex2.approx", (float)exp2(x))
BOTH1(lg2, "lg2.approx", (float)log2(x))
BOTH1(rsqrt, "rsqrt.approx", (float)(1 / sqrt(x)))
BOTH1(sqrt_approx, "sqrt.approx", sqrtf(x))
BOTH1(sqrt_rn, "sqrt.rn", sqrtf(x))
BOTH1(saturate, "saturate", x > 0 ? fminf(x, 1) : 0)
F1(round, "nvvm.round.f", rintf(x))
F1(trunc, "nvvm.trunc.f", truncf(x))
F1(rcp, "ptx_rcp_approx_ftz_f32", 1 / x)
F2(sub, "ptx_sub_rn_f32", x - y)
F2(sub_ftz, "ptx_sub_rn_ftz_f32", x - y)

#define FMA(name, text, mode) float name(float x, float y, float z) __asm__(text); \
    float name(float x, float y, float z) { return directed(mode, 2, x, y, z); }
float fma_rn(float x, float y, float z) __asm__("nvvm.fma.rn.f");
float fma_rn(float x, float y, float z) { return fmaf(x, y, z); }
FMA(fma_rn_ftz, "nvvm.fma.rn.ftz.f", FE_TONEAREST)
FMA(fma_rm, "nvvm.fma.rm.f", FE_DOWNWARD)
FMA(fma_rm_ftz, "nvvm.fma.rm.ftz.f", FE_DOWNWARD)
FMA(fma_rz, "nvvm.fma.rz.f", FE_TOWARDZERO)
FMA(fma_rz_ftz, "nvvm.fma.rz.ftz.f", FE_TOWARDZERO)

static int64_t whole(float x, int64_t least, int64_t most) {
    return x != x ? 0 : x >= (float)most ? most : x <= (float)least ? least : (int64_t)x;
}
#define TO(type, name, text, e, least, most) type name(float x) __asm__(text); \
    type name(float x) { return (type)whole(e, least, most); }
TO(int32_t, i_rn, "nvvm.f2i.rn", rintf(x), INT32_MIN, INT32_MAX)
TO(int32_t, i_rn_ftz, "nvvm.f2i.rn.ftz", rintf(x), INT32_MIN, INT32_MAX)
TO(int32_t, i_rz, "nvvm.f2i.rz", truncf(x), INT32_MIN, INT32_MAX)
TO(int32_t, i_rz_ftz, "nvvm.f2i.rz.ftz", truncf(x), INT32_MIN, INT32_MAX)
TO(uint32_t, u_rn, "nvvm.f2ui.rn", rintf(x), 0, UINT32_MAX)
TO(uint32_t, u_rn_ftz, "nvvm.f2ui.rn.ftz", rintf(x), 0, UINT32_MAX)
TO(uint32_t, u_rz, "nvvm.f2ui.rz", truncf(x), 0, UINT32_MAX)
TO(uint32_t, u_rz_ftz, "nvvm.f2ui.rz.ftz", truncf(x), 0, UINT32_MAX)
TO(int64_t, l_rn, "nvvm.f2ll.rn", rintf(x), INT64_MIN, INT64_MAX)
TO(int64_t, l_rn_ftz, "nvvm.f2ll.rn.ftz", rintf(x), INT64_MIN, INT64_MAX)
TO(int64_t, l_rz, "nvvm.f2ll.rz", truncf(x), INT64_MIN, INT64_MAX)
TO(int64_t, l_rz_ftz, "nvvm.f2ll.rz.ftz", truncf(x), INT64_MIN, INT64_MAX)

double lohi(uint32_t low, uint32_t high) __asm__("nvvm.lohi.i2d");
double lohi(uint32_t low, uint32_t high) {
    uint64_t bits = (uint64_t)high << 32 | low;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
