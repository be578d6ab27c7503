// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

/**
 * The problem as its description says it, without any art: two arrays, one loop over all points, halo rows copied each
 * iteration.
 */
final class JacobiReference {

    final float[][] grid;
    final double[] squaredNorms;

    JacobiReference(JacobiProblem problem, int iterations) {
        int nx = problem.nx();
        int ny = problem.ny();
        float[][] a = new float[ny][nx];
        float[][] next = new float[ny][nx];
        for (int iy = 0; iy < ny; iy++) {
            a[iy][0] = a[iy][nx - 1] = next[iy][0] = next[iy][nx - 1] = problem.boundary(iy);
        }
        squaredNorms = new double[iterations];
        for (int k = 0; k < iterations; k++) {
            for (int iy = 1; iy < ny - 1; iy++) {
                for (int ix = 1; ix < nx - 1; ix++) {
                    next[iy][ix] = 0.25f * (a[iy][ix + 1] + a[iy][ix - 1] + a[iy + 1][ix] + a[iy - 1][ix]);
                    double change = next[iy][ix] - a[iy][ix];
                    squaredNorms[k] += change * change;
                }
            }
            for (int ix = 1; ix < nx - 1; ix++) {
                next[0][ix] = next[ny - 2][ix];
                next[ny - 1][ix] = next[1][ix];
            }
            float[][] old = a;
            a = next;
            next = old;
        }
        grid = a;
    }
}
