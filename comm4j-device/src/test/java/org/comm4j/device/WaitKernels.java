// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.Comparison;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;

/** Each wait and test. Variable i is set to i + 1 by the PE before, but the last one, which nobody touches. */
final class WaitKernels {
    /** Variables; the last one stays 0. */
    static final int COUNT = 6;

    private WaitKernels() {}

    @Kernel
    static void waitsI32(I32Ptr variables, I32Ptr values, I32Ptr skip, I64Ptr indices, I64Ptr out) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        for (int i = 0; i < COUNT - 1; i++) {
            Shmem.p(variables.plus(i), i + 1, next);
        }
        long n = COUNT - 1;
        Shmem.waitUntil(variables, Comparison.EQ, 1);
        out.set(0, Shmem.test(variables, Comparison.LT, 2) ? 1 : 0);
        Shmem.waitUntilAll(variables, n, Comparison.GE, 1);
        Shmem.waitUntilAll(variables, COUNT, skip, Comparison.GE, 1);
        Shmem.waitUntilAll(variables, n, Comparison.EQ, values);
        Shmem.waitUntilAll(variables, COUNT, skip, Comparison.EQ, values);
        // Only the last but one, and only the last one.
        out.set(1, Shmem.waitUntilAny(variables, n, Comparison.GT, 4));
        out.set(2, Shmem.waitUntilAny(variables, COUNT, skip, Comparison.GT, 4));
        out.set(3, Shmem.waitUntilAny(variables, n, Comparison.LE, values));
        out.set(4, Shmem.waitUntilAny(variables, COUNT, skip, Comparison.LE, values));
        out.set(5, Shmem.waitUntilSome(variables, n, indices, Comparison.GE, 3));
        out.set(6, indices.get(0) * 100 + indices.get(1) * 10 + indices.get(2));
        out.set(7, Shmem.waitUntilSome(variables, COUNT, indices, skip, Comparison.LE, 2));
        out.set(8, indices.get(0) * 10 + indices.get(1));
        out.set(9, Shmem.waitUntilSome(variables, n, indices, Comparison.EQ, values));
        out.set(10, Shmem.waitUntilSome(variables, COUNT, indices, skip, Comparison.EQ, values));
        out.set(11, Shmem.testAll(variables, n, Comparison.GE, 1) ? 1 : 0);
        out.set(12, Shmem.testAll(variables, COUNT, Comparison.GE, 1) ? 1 : 0);
        out.set(13, Shmem.testAll(variables, COUNT, skip, Comparison.GE, 1) ? 1 : 0);
        out.set(14, Shmem.testAll(variables, n, Comparison.EQ, values) ? 1 : 0);
        out.set(15, Shmem.testAll(variables, COUNT, skip, Comparison.NE, values) ? 1 : 0);
        out.set(16, Shmem.testAny(variables, n, Comparison.GT, 1000));
        out.set(17, Shmem.testAny(variables, COUNT, skip, Comparison.LE, 0));
        out.set(18, Shmem.testAny(variables, n, Comparison.GT, values));
        out.set(19, Shmem.testAny(variables, COUNT, skip, Comparison.LT, values));
        out.set(20, Shmem.testSome(variables, COUNT, indices, Comparison.LT, 2));
        out.set(21, indices.get(0) * 10 + indices.get(1));
        out.set(22, Shmem.testSome(variables, COUNT, indices, skip, Comparison.LT, 2));
        out.set(23, Shmem.testSome(variables, n, indices, Comparison.EQ, values));
        out.set(24, Shmem.testSome(variables, COUNT, indices, skip, Comparison.NE, values));
    }

    @Kernel
    static void waitsI64(I64Ptr variables, I64Ptr values, I32Ptr skip, I64Ptr indices, I64Ptr out) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        for (int i = 0; i < COUNT - 1; i++) {
            Shmem.p(variables.plus(i), i + 1, next);
        }
        long n = COUNT - 1;
        Shmem.waitUntil(variables, Comparison.EQ, 1);
        out.set(0, Shmem.test(variables, Comparison.LT, 2) ? 1 : 0);
        Shmem.waitUntilAll(variables, n, Comparison.GE, 1);
        Shmem.waitUntilAll(variables, COUNT, skip, Comparison.GE, 1);
        Shmem.waitUntilAll(variables, n, Comparison.EQ, values);
        Shmem.waitUntilAll(variables, COUNT, skip, Comparison.EQ, values);
        // Only the last but one, and only the last one.
        out.set(1, Shmem.waitUntilAny(variables, n, Comparison.GT, 4));
        out.set(2, Shmem.waitUntilAny(variables, COUNT, skip, Comparison.GT, 4));
        out.set(3, Shmem.waitUntilAny(variables, n, Comparison.LE, values));
        out.set(4, Shmem.waitUntilAny(variables, COUNT, skip, Comparison.LE, values));
        out.set(5, Shmem.waitUntilSome(variables, n, indices, Comparison.GE, 3));
        out.set(6, indices.get(0) * 100 + indices.get(1) * 10 + indices.get(2));
        out.set(7, Shmem.waitUntilSome(variables, COUNT, indices, skip, Comparison.LE, 2));
        out.set(8, indices.get(0) * 10 + indices.get(1));
        out.set(9, Shmem.waitUntilSome(variables, n, indices, Comparison.EQ, values));
        out.set(10, Shmem.waitUntilSome(variables, COUNT, indices, skip, Comparison.EQ, values));
        out.set(11, Shmem.testAll(variables, n, Comparison.GE, 1) ? 1 : 0);
        out.set(12, Shmem.testAll(variables, COUNT, Comparison.GE, 1) ? 1 : 0);
        out.set(13, Shmem.testAll(variables, COUNT, skip, Comparison.GE, 1) ? 1 : 0);
        out.set(14, Shmem.testAll(variables, n, Comparison.EQ, values) ? 1 : 0);
        out.set(15, Shmem.testAll(variables, COUNT, skip, Comparison.NE, values) ? 1 : 0);
        out.set(16, Shmem.testAny(variables, n, Comparison.GT, 1000));
        out.set(17, Shmem.testAny(variables, COUNT, skip, Comparison.LE, 0));
        out.set(18, Shmem.testAny(variables, n, Comparison.GT, values));
        out.set(19, Shmem.testAny(variables, COUNT, skip, Comparison.LT, values));
        out.set(20, Shmem.testSome(variables, COUNT, indices, Comparison.LT, 2));
        out.set(21, indices.get(0) * 10 + indices.get(1));
        out.set(22, Shmem.testSome(variables, COUNT, indices, skip, Comparison.LT, 2));
        out.set(23, Shmem.testSome(variables, n, indices, Comparison.EQ, values));
        out.set(24, Shmem.testSome(variables, COUNT, indices, skip, Comparison.NE, values));
    }
}
