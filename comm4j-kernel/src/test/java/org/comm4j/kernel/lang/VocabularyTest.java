// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SmallFloats;
import org.junit.jupiter.api.Test;

/** What the vocabulary does on the CPU, without a kernel around it. */
class VocabularyTest {
    @Test
    void eightBitFloats() {
        for (int bits = 0; bits < 256; bits++) {
            assertThat(SmallFloat.e4m3ToFloat((byte) bits))
                    .isEqualTo(Float.valueOf(SmallFloats.e4m3ToFloat((byte) bits)));
            assertThat(SmallFloat.e5m2ToFloat((byte) bits))
                    .isEqualTo(Float.valueOf(SmallFloats.e5m2ToFloat((byte) bits)));
        }
    }

    @Test
    void atomics() {
        HostArray array = HostArray.of(5, -7);
        I32Ptr p = I32Ptr.of(array);
        assertThat(p.atomicAdd(0, 3)).isEqualTo(5);
        assertThat(p.atomicSub(0, 1, Scope.SYSTEM, Order.ACQ_REL)).isEqualTo(8);
        assertThat(p.atomicMax(1, 2)).isEqualTo(-7);
        assertThat(p.atomicMin(1, -2, Scope.BLOCK, Order.RELEASE)).isEqualTo(2);
        assertThat(p.atomicInc(0, 7)).isEqualTo(7);
        assertThat(p.atomicDec(0, 9)).isZero();
        assertThat(p.atomicDec(0, 4)).isEqualTo(9);
        assertThat(p.atomicCas(0, 4, 12)).isEqualTo(4);
        assertThat(p.atomicCas(0, 4, 13, Scope.CLUSTER, Order.ACQUIRE)).isEqualTo(12);
        assertThat(p.atomicXor(0, 5)).isEqualTo(12);
        assertThat(p.atomicExch(0, 1)).isEqualTo(9);
        assertThat(array.toIntArray()).containsExactly(1, -2);
        F64Ptr d = F64Ptr.of(HostArray.of(1.5, 2.0));
        assertThat(d.atomicAdd(1, 0.25)).isEqualTo(2.0);
        assertThat(d.get(1)).isEqualTo(2.25);
        assertThat(d.atomicExch(0, -1)).isEqualTo(1.5);
        I64Ptr l = I64Ptr.of(HostArray.of(6L));
        assertThat(l.atomicAnd(0, 3)).isEqualTo(6);
        l.setRelease(0, 8);
        assertThat(l.getAcquire(0, Scope.SYSTEM)).isEqualTo(8);
    }

    @Test
    void pointersAreChecked() {
        HostArray array = HostArray.of(1f, 2f, 3f, 4f, 5f);
        F32Ptr p = F32Ptr.of(array);
        assertThat(p.get4(0)).isEqualTo(new Float4(1, 2, 3, 4));
        assertThat(p.plus(2).get(1)).isEqualTo(4);
        assertThat(p.plus(2).get(-2, CacheHint.STREAMING)).isEqualTo(1);
        assertThat(p.asI32().get(0)).isEqualTo(Float.floatToRawIntBits(1));
        assertThatThrownBy(() -> p.get(5)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> p.set(-1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> p.get4(1)).hasMessageContaining("is not a multiple of 16 bytes");
        assertThatThrownBy(() -> p.plus(1).asF64()).hasMessageContaining("is not a multiple of 8 bytes");
        assertThatThrownBy(() -> I32Ptr.of(array))
                .hasMessageContaining("a pointer I32Ptr is for elements of INT32 or UINT32");
        assertThatThrownBy(() -> F32Ptr.of(array, 6)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void smallFloatPointers() {
        HostArray array = HostArray.allocate(DataType.FLOAT16, 4);
        F16Ptr p = F16Ptr.of(array);
        p.set(1, 1 / 3f);
        assertThat(p.get(1)).isEqualTo(array.getFloat(1)).isBetween(0.33f, 0.34f);
        p.set2(2, Half2.of(5, 6));
        assertThat(p.atomicAdd2(2, Half2.of(1, 1))).isEqualTo(Half2.of(5, 6));
        assertThat(p.get(3)).isEqualTo(7);
    }
}
