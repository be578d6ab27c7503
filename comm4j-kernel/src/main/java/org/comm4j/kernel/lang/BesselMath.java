// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.math.BesselFunctions;

/**
 * CUDA's Bessel functions, for {@code float} and {@code double}. On a GPU they are libdevice's, with the errors, in
 * units in the last place (ulp), of the CUDA C++ Programming Guide. On the CPU the bodies here run, whose errors are
 * within the same bounds.
 */
@KernelLibrary
public final class BesselMath {
    private BesselMath() {}

    /** Returns the modified Bessel function of order 0. The error is up to 6 ulp. In C it is {@code cyl_bessel_i0f}. */
    @DeviceFunction(value = "__nv_cyl_bessel_i0f", pure = true)
    public static float cylBesselI0(float x) {
        return (float) BesselFunctions.i0(x);
    }

    /** Returns the modified Bessel function of order 1. The error is up to 6 ulp. In C it is {@code cyl_bessel_i1f}. */
    @DeviceFunction(value = "__nv_cyl_bessel_i1f", pure = true)
    public static float cylBesselI1(float x) {
        return (float) BesselFunctions.i1(x);
    }

    /**
     * Returns the Bessel function of the first kind of order 0. The error is up to 9 ulp below 8, an absolute 2.2e-6
     * beyond. In C it is {@code j0f}.
     */
    @DeviceFunction(value = "__nv_j0f", pure = true)
    public static float j0(float x) {
        return (float) BesselFunctions.j0(x);
    }

    /**
     * Returns the Bessel function of the first kind of order 1. The error is up to 9 ulp below 8, an absolute 2.2e-6
     * beyond. In C it is {@code j1f}.
     */
    @DeviceFunction(value = "__nv_j1f", pure = true)
    public static float j1(float x) {
        return (float) BesselFunctions.j1(x);
    }

    /** Returns the Bessel function of the first kind of order n. In C it is {@code jnf}. */
    @DeviceFunction(value = "__nv_jnf", pure = true)
    public static float jn(int n, float x) {
        return (float) BesselFunctions.jn(n, x);
    }

    /**
     * Returns the Bessel function of the second kind of order 0. The error is up to 9 ulp below 8, an absolute 2.2e-6
     * beyond. In C it is {@code y0f}.
     */
    @DeviceFunction(value = "__nv_y0f", pure = true)
    public static float y0(float x) {
        return (float) BesselFunctions.y0(x);
    }

    /**
     * Returns the Bessel function of the second kind of order 1. The error is up to 9 ulp below 8, an absolute 2.2e-6
     * beyond. In C it is {@code y1f}.
     */
    @DeviceFunction(value = "__nv_y1f", pure = true)
    public static float y1(float x) {
        return (float) BesselFunctions.y1(x);
    }

    /** Returns the Bessel function of the second kind of order n. In C it is {@code ynf}. */
    @DeviceFunction(value = "__nv_ynf", pure = true)
    public static float yn(int n, float x) {
        return (float) BesselFunctions.yn(n, x);
    }

    /** Returns the modified Bessel function of order 0. The error is up to 6 ulp. In C it is {@code cyl_bessel_i0}. */
    @DeviceFunction(value = "__nv_cyl_bessel_i0", pure = true)
    public static double cylBesselI0(double x) {
        return BesselFunctions.i0(x);
    }

    /** Returns the modified Bessel function of order 1. The error is up to 6 ulp. In C it is {@code cyl_bessel_i1}. */
    @DeviceFunction(value = "__nv_cyl_bessel_i1", pure = true)
    public static double cylBesselI1(double x) {
        return BesselFunctions.i1(x);
    }

    /**
     * Returns the Bessel function of the first kind of order 0. The error is up to 7 ulp below 8, an absolute 5e-12
     * beyond. In C it is {@code j0}.
     */
    @DeviceFunction(value = "__nv_j0", pure = true)
    public static double j0(double x) {
        return BesselFunctions.j0(x);
    }

    /**
     * Returns the Bessel function of the first kind of order 1. The error is up to 7 ulp below 8, an absolute 5e-12
     * beyond. In C it is {@code j1}.
     */
    @DeviceFunction(value = "__nv_j1", pure = true)
    public static double j1(double x) {
        return BesselFunctions.j1(x);
    }

    /** Returns the Bessel function of the first kind of order n. In C it is {@code jn}. */
    @DeviceFunction(value = "__nv_jn", pure = true)
    public static double jn(int n, double x) {
        return BesselFunctions.jn(n, x);
    }

    /**
     * Returns the Bessel function of the second kind of order 0. The error is up to 7 ulp below 8, an absolute 5e-12
     * beyond. In C it is {@code y0}.
     */
    @DeviceFunction(value = "__nv_y0", pure = true)
    public static double y0(double x) {
        return BesselFunctions.y0(x);
    }

    /**
     * Returns the Bessel function of the second kind of order 1. The error is up to 7 ulp below 8, an absolute 5e-12
     * beyond. In C it is {@code y1}.
     */
    @DeviceFunction(value = "__nv_y1", pure = true)
    public static double y1(double x) {
        return BesselFunctions.y1(x);
    }

    /** Returns the Bessel function of the second kind of order n. In C it is {@code yn}. */
    @DeviceFunction(value = "__nv_yn", pure = true)
    public static double yn(int n, double x) {
        return BesselFunctions.yn(n, x);
    }
}
