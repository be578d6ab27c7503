// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Order;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What shared arrays and atomics on 128 bits become; needs NVIDIA's compilers, and no GPU. */
class SharedArraysCodeTest {
    @BeforeAll
    static void require() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
    }

    private static KernelCode code(Class<?> type, String kernel, String arch, Object... constants) {
        return KernelCode.compile(
                Machine.method(type, kernel), CudaArch.parse(arch), CompileOptions.DEFAULT.withoutCache(), constants);
    }

    @Kernel
    static void points(F32Ptr out) {
        SharedArraysContract.Point[] all = Shared.of(SharedArraysContract.Point.class, 64);
        int t = ThreadIdx.x();
        all[t] = SharedArraysContract.point(t);
        Block.sync();
        SharedArraysContract.Point other = all[t ^ 1];
        out.set(t, other.x() + other.y() * other.z() + other.w());
    }

    @Kernel
    static void cells(F32Ptr out) {
        SharedArraysContract.Cell[] all = Shared.of(SharedArraysContract.Cell.class, 64);
        int t = ThreadIdx.x();
        all[t] = SharedArraysContract.cell(t);
        Block.sync();
        SharedArraysContract.Cell other = all[t ^ 1];
        out.set(t, other.mass() + other.id() + other.charge() + other.colour().ordinal());
    }

    @Kernel
    static void entries(F32Ptr out) {
        SharedArraysContract.Entry[] all = Shared.of(SharedArraysContract.Entry.class, 64);
        int t = ThreadIdx.x();
        all[t] = SharedArraysContract.entry(t);
        Block.sync();
        SharedArraysContract.Entry other = all[t ^ 1];
        out.set(t, (float) (other.key() + other.value()));
    }

    @Kernel
    static void smalls(F32Ptr out) {
        SharedArraysContract.Small[] all = Shared.of(SharedArraysContract.Small.class, 64);
        int t = ThreadIdx.x();
        all[t] = SharedArraysContract.small(t);
        Block.sync();
        SharedArraysContract.Small other = all[t ^ 1];
        out.set(t, other.letter() + other.sign() + other.count());
    }

    /** One access writes, and one reads. */
    @ParameterizedTest
    @CsvSource({"points, v4, 16", "cells, v4, 16", "entries, v2, 16", "smalls, v2, 8"})
    void recordsOf8And16BytesAreOneAccess(String kernel, String vector, int bytes) {
        KernelCode code = code(SharedArraysCodeTest.class, kernel, "sm_90");
        String ptx = code.ptx();
        assertThat(ptx.lines().filter(line -> line.contains("st.shared")))
                .as(ptx)
                .singleElement()
                .asString()
                .contains("st.shared." + vector + ".");
        assertThat(ptx.lines().filter(line -> line.contains("ld.shared")))
                .as(ptx)
                .singleElement()
                .asString()
                .contains("ld.shared." + vector + ".");
        assertThat(code.attributes().sharedBytes()).isEqualTo(64 * bytes);
    }

    private static double sum(SharedArraysContract.Entry[] entries, SharedArraysContract.Cell[] cells) {
        double sum = 0;
        for (int i = 0; i < entries.length; i++) {
            Unroll.all();
            sum += entries[i].key() * entries[i].value() + cells[i].mass() * cells[i].id();
        }
        return sum;
    }

    @Kernel
    static void ownArrays(F32Ptr out) {
        SharedArraysContract.Entry[] entries = new SharedArraysContract.Entry[4];
        SharedArraysContract.Cell[] cells = new SharedArraysContract.Cell[4];
        for (int i = 0; i < entries.length; i++) {
            Unroll.all();
            entries[i] = SharedArraysContract.entry(ThreadIdx.x() + i);
            cells[i] = SharedArraysContract.cell(ThreadIdx.x() - i);
        }
        out.set(ThreadIdx.x(), (float) sum(entries, cells));
    }

    @Test
    void aThreadsOwnRecordsStayRegistersInMethods() {
        KernelCode code = code(SharedArraysCodeTest.class, "ownArrays", "sm_90");
        assertThat(code.ptx()).doesNotContain(".local");
        assertThat(code.attributes().localBytes()).isZero();
    }

    /** The assembler takes no more of its own. */
    @Test
    void arraysOfMoreThan48KibAreDynamic() {
        KernelCode code = code(SharedArraysContract.class, "large", "sm_90");
        assertThat(code.sharedArrays()).isEqualTo((64 << 10) + (32 << 10) + 1600);
        assertThat(code.attributes().sharedBytes()).isEqualTo(code.sharedArrays());
        assertThat(code.ptx()).contains(".extern .shared .align 16 .b8").doesNotContain("ld.local");
        KernelCode small = code(SharedArraysContract.class, "exchanges", "sm_90");
        assertThat(small.sharedArrays()).isZero();
        assertThat(small.attributes().sharedBytes()).isEqualTo(64 * (4 * 16 + 8 + 8 + 32 + 12));
    }

    /** An entry of the cache says it, too. */
    @Test
    void whatIsRememberedHasItsArrays() {
        Natives.use();
        for (int i = 0; i < 2; i++) {
            KernelCode code = KernelCode.compile(
                    Machine.method(SharedArraysContract.class, "large"),
                    CudaArch.parse("sm_90"),
                    CompileOptions.DEFAULT);
            assertThat(code.sharedArrays()).isEqualTo(99_904);
        }
    }

    @ParameterizedTest
    @CsvSource({"sm_75, 65536", "sm_86, 101376", "sm_80, 166912", "sm_120, 101376"})
    void whatAChipHasNotIsRefused(String arch, int most) {
        assertThatThrownBy(() -> code(SharedArraysContract.class, "whole", arch))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining(
                        "its shared arrays take 232448 bytes, and " + arch + " has " + most + " for a block at most");
        if (most < 99_904) {
            assertThatThrownBy(() -> code(SharedArraysContract.class, "large", arch))
                    .hasMessageContaining("its shared arrays take 99904 bytes (65536 + 32768 + 1600), and ");
        } else {
            assertThat(code(SharedArraysContract.class, "large", arch).cubin()).isNotEmpty();
        }
    }

    @Test
    void atomicsOn128BitsAreOneInstruction() {
        KernelCode code = code(WideAtomicsContract.class, "counts", "sm_90");
        assertThat(code.ptx()).contains("atom.relaxed.gpu.cas.b128");
        assertThat(code.cubin()).isNotEmpty();
        for (Scope scope : Scope.values()) {
            KernelCode other = code(WideAtomicsContract.class, "shared", "sm_100", scope, Order.ACQ_REL);
            assertThat(other.ptx()).contains(".exch.b128", "fence.acq_rel.");
            assertThat(other.cubin()).isNotEmpty();
        }
    }
}
