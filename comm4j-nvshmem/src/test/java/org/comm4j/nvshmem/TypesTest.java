// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of types against the functions that the bindings have. */
class TypesTest {
    private static final Map<ReduceOp, String> REDUCTIONS = Map.of(
            ReduceOp.SUM, "sum",
            ReduceOp.PROD, "prod",
            ReduceOp.MIN, "min",
            ReduceOp.MAX, "max",
            ReduceOp.BAND, "and",
            ReduceOp.BOR, "or",
            ReduceOp.BXOR, "xor");

    /** C's name for an element, whether a family has it or not; complex numbers and float8 have none. */
    private static final Set<DataType> NAMELESS =
            EnumSet.of(DataType.FLOAT8_E4M3, DataType.FLOAT8_E5M2, DataType.COMPLEX64, DataType.COMPLEX128);

    /** Whether there is a function of that name in C; also without a library. */
    private static boolean exists(String function) {
        try {
            boolean ignored = LibNvshmem.has(function);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static int bytes(NvshmemType type) {
        return switch (type.carrier()) {
            case BYTE -> 1;
            case SHORT -> 2;
            case INT, FLOAT -> 4;
            case LONG, DOUBLE -> 8;
        };
    }

    @ParameterizedTest
    @EnumSource
    void movesAndCollectives(DataType type) {
        NvshmemType moved = Types.moved(type);
        assertThat(bytes(moved) * Types.units(type)).isEqualTo(type.bytes());
        for (String family : new String[] {"alltoall", "broadcast", "fcollect"}) {
            assertThat(exists("nvshmem_" + moved.word() + "_" + family))
                    .as(family)
                    .isTrue();
            assertThat(exists("nvshmemx_" + moved.word() + "_" + family + "_on_stream"))
                    .as(family)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void stridedMoves(DataType type) {
        String word = Types.strided(type).word();
        assertThat(Integer.parseInt(word)).isEqualTo(8 * type.bytes());
        for (String family : new String[] {"iput", "iget"}) {
            assertThat(exists("nvshmem_" + family + word)).as(family).isTrue();
            assertThat(exists("nvshmemx_" + family + word + "_on_stream"))
                    .as(family)
                    .isTrue();
        }
    }

    /** The table has a reduction if and only if C has one for a type of that name, SUM of complex numbers apart. */
    @ParameterizedTest
    @EnumSource
    void reductions(DataType type) {
        String word = Types.moved(type).word();
        for (ReduceOp op : ReduceOp.values()) {
            String name = REDUCTIONS.get(op);
            boolean inC = name != null
                    && !NAMELESS.contains(type)
                    && exists("nvshmemx_" + word + "_" + name + "_reduce_on_stream");
            assertThat(Types.reduces(op, type))
                    .as("%s of %s", op, type)
                    .isEqualTo(inC || op == ReduceOp.SUM && type.isComplex());
            if (Types.reduces(op, type)) {
                assertThat(exists("nvshmem_" + word + "_" + name + "_reduce")).isTrue();
                assertThat(exists("nvshmem_" + word + "_" + name + "_reducescatter"))
                        .isTrue();
                assertThat(exists("nvshmemx_" + word + "_" + name + "_reducescatter_on_stream"))
                        .isTrue();
            } else {
                assertThat(Types.whyNot(op, type)).contains(op == ReduceOp.AVG ? "AVG" : type.name());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void singleValues(DataType type) {
        if (type.isComplex()) {
            assertThatThrownBy(() -> Types.scalar("p", type))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("p: NVSHMEM has no p of " + type + "; put or get an array of one element");
            return;
        }
        NvshmemType scalar = Types.scalar("p", type);
        assertThat(bytes(scalar)).isEqualTo(type.bytes());
        for (String family : new String[] {"p", "g"}) {
            assertThat(exists("nvshmem_" + scalar.word() + "_" + family)).isTrue();
            assertThat(exists("nvshmemx_" + scalar.word() + "_" + family + "_on_stream"))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void waits(DataType type) {
        if (!type.isInteger() || type.bytes() == 1) {
            assertThat(exists("nvshmemx_" + Types.moved(type).word() + "_wait_until_on_stream"))
                    .isFalse();
            assertThatThrownBy(() -> Types.awaited("waitUntil", type))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("waitUntil: NVSHMEM waits for integers of 16, 32 and 64 bits, not for " + type);
            return;
        }
        NvshmemType awaited = Types.awaited("waitUntil", type);
        assertThat(bytes(awaited)).isEqualTo(type.bytes());
        assertThat(awaited.word().startsWith("u")).isEqualTo(type.isUnsigned());
        for (String family : new String[] {"wait_until", "wait_until_all", "wait_until_all_vector"}) {
            assertThat(exists("nvshmemx_" + awaited.word() + "_" + family + "_on_stream"))
                    .as(family)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"put", "get"})
    void movesOfBytes(String family) {
        for (String end : new String[] {"", "_nbi"}) {
            assertThat(exists("nvshmem_" + family + "mem" + end)).isTrue();
            assertThat(exists("nvshmemx_" + family + "mem" + end + "_on_stream"))
                    .isTrue();
        }
    }

    @Test
    void comparisonsByTheirNames() throws ReflectiveOperationException {
        for (Comparison comparison : Comparison.values()) {
            String name = "NVSHMEM_CMP_" + comparison.name().toUpperCase(Locale.ROOT);
            assertThat(LibNvshmem.class.getField(name).getInt(null)).isEqualTo(Types.of(comparison));
        }
    }
}
