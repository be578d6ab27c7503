// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DlPack.Flag;
import org.comm4j.cuda.DlPack.Form;
import org.comm4j.cuda.DlPack.Layout;
import org.comm4j.ffi.Callbacks;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.test.Gcc;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What needs no device: the structs' layouts, and tensors in host memory. */
class DlPackTest {

    /** The structs as the specification has them, laid out by the C compiler. */
    @Test
    void offsetsAreThoseOfTheCCompiler() {
        Gcc.require();
        String output = Gcc.outputOf("""
                #include <stddef.h>
                #include <stdint.h>
                #include <stdio.h>
                typedef struct { uint32_t major, minor; } version;
                typedef struct { int32_t device_type, device_id; } device;
                typedef struct { uint8_t code, bits; uint16_t lanes; } type;
                typedef struct {
                  void *data; device device; int32_t ndim; type dtype; int64_t *shape, *strides; uint64_t byte_offset;
                } tensor;
                typedef struct { tensor dl_tensor; void *manager_ctx; void (*deleter)(void *); } legacy;
                typedef struct {
                  version version; void *manager_ctx; void (*deleter)(void *); uint64_t flags; tensor dl_tensor;
                } versioned;
                #define SHOW(t, m) printf("%zu ", offsetof(t, m))
                int main(void) {
                  SHOW(tensor, data); SHOW(tensor, device.device_type); SHOW(tensor, device.device_id); SHOW(tensor, ndim);
                  SHOW(tensor, dtype.code); SHOW(tensor, dtype.bits); SHOW(tensor, dtype.lanes); SHOW(tensor, shape);
                  SHOW(tensor, strides); SHOW(tensor, byte_offset);
                  printf("%zu ", sizeof(legacy)); SHOW(legacy, dl_tensor); SHOW(legacy, manager_ctx); SHOW(legacy, deleter);
                  printf("%zu ", sizeof(versioned)); SHOW(versioned, dl_tensor); SHOW(versioned, manager_ctx);
                  SHOW(versioned, deleter); SHOW(versioned, version.major); SHOW(versioned, version.minor);
                  SHOW(versioned, flags);
                }
                """);
        LongStream ours = LongStream.of(
                DlPack.DATA,
                DlPack.DEVICE_TYPE,
                DlPack.DEVICE_ID,
                DlPack.NDIM,
                DlPack.TYPE_CODE,
                DlPack.TYPE_BITS,
                DlPack.TYPE_LANES,
                DlPack.SHAPE,
                DlPack.STRIDES,
                DlPack.BYTE_OFFSET,
                Layout.LEGACY.bytes,
                Layout.LEGACY.tensor,
                Layout.LEGACY.managerContext,
                Layout.LEGACY.deleter,
                Layout.VERSIONED.bytes,
                Layout.VERSIONED.tensor,
                Layout.VERSIONED.managerContext,
                Layout.VERSIONED.deleter,
                DlPack.VERSION_MAJOR,
                DlPack.VERSION_MINOR,
                DlPack.FLAGS);
        assertThat(Arrays.stream(output.trim().split(" ", -1)).mapToLong(Long::parseLong))
                .containsExactlyElementsOf(ours.boxed().toList());
    }

    @ParameterizedTest
    @EnumSource
    void hostMemoryCrossesAndComesBack(Form form) {
        int before = DlPack.lentCount();
        for (DataType type : DataType.values()) {
            HostArray array = CudaContract.numbers(type, 12);
            try (Arena arena = Arena.ofConfined()) {
                HostArray other = DlPack.takeHost(arena, DlPack.lend(array, form, 3, 4), form);
                assertThat(other.address()).isEqualTo(array.address());
                assertThat(other.type()).isEqualTo(type);
                assertThat(other.segment().mismatch(array.segment())).isEqualTo(-1);
                assertThat(DlPack.lentCount()).isEqualTo(before + 1);
            }
            assertThat(DlPack.lentCount()).isEqualTo(before);
        }
    }

    @Test
    void theStructSaysWhatTheArrayIs() {
        HostArray array = HostArray.allocate(DataType.COMPLEX128, 6);
        long address = DlPack.lend(array, Form.VERSIONED, 2, 3);
        MemorySegment struct = NativeMemory.at(address, 80);
        assertThat(struct.get(JAVA_INT, 0)).isEqualTo(1);
        assertThat(struct.get(JAVA_LONG, 24)).as("no flags").isZero();
        MemorySegment tensor = struct.asSlice(32);
        assertThat(tensor.get(JAVA_LONG, 0)).isEqualTo(array.address());
        assertThat(tensor.get(JAVA_INT, 8)).as("the CPU's number").isEqualTo(1);
        assertThat(tensor.get(JAVA_INT, 16)).as("dimensions").isEqualTo(2);
        assertThat(tensor.get(JAVA_BYTE, 20)).as("complex").isEqualTo((byte) 5);
        assertThat(Byte.toUnsignedInt(tensor.get(JAVA_BYTE, 21))).isEqualTo(128);
        assertThat(tensor.get(JAVA_SHORT, 22)).as("lanes").isEqualTo((short) 1);
        assertThat(NativeMemory.at(tensor.get(JAVA_LONG, 24), 16).toArray(JAVA_LONG))
                .containsExactly(2, 3);
        assertThat(NativeMemory.at(tensor.get(JAVA_LONG, 32), 16).toArray(JAVA_LONG))
                .containsExactly(3, 1);
        DlPack.discard(address, Form.VERSIONED);
    }

    @Test
    void givingBackTwiceDoesNotEndTheProcess() {
        long address = DlPack.lend(HostArray.allocate(DataType.INT8, 1), Form.LEGACY);
        long deleter = NativeMemory.at(address, 64).get(JAVA_LONG, 56);
        Callbacks.call(deleter, address);
        List<String> reported = new ArrayList<>();
        Logger logger = Logger.getLogger("org.comm4j.cuda");
        logger.setFilter(event -> {
            reported.add(event.getMessage());
            return false;
        });
        Callbacks.call(deleter, address);
        logger.setFilter(null);
        assertThat(reported).singleElement().asString().contains("was given back twice");
    }

    @Test
    void wrongShapesAreRefused() {
        HostArray array = HostArray.allocate(DataType.INT8, 12);
        assertThatThrownBy(() -> DlPack.lend(array, Form.LEGACY, 3, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[3, 5]");
        assertThatThrownBy(() -> DlPack.lend(array, Form.LEGACY, -3, -4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DlPack.lend(array, Form.LEGACY, 1L << 40, 1L << 40))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[1099511627776, 1099511627776]");
        DlPack.discard(
                DlPack.lend(HostArray.allocate(DataType.INT8, 0), Form.LEGACY, 1L << 40, 1L << 40, 0), Form.LEGACY);
    }

    /** Tensors as others make them. */
    @Test
    void denseTensorsOfOthersAreTaken() {
        try (Arena arena = Arena.ofConfined()) {
            assertThat(DlPack.takeHost(arena, tensor(arena, 2, 32, new long[] {2, 3}, null, 0), Form.LEGACY)
                            .count())
                    .isEqualTo(6);
            assertThat(DlPack.takeHost(arena, tensor(arena, 2, 32, new long[] {}, null, 0), Form.LEGACY)
                            .count())
                    .as("a scalar")
                    .isEqualTo(1);
            assertThat(DlPack.takeHost(
                                    arena, tensor(arena, 2, 32, new long[] {0, 3}, new long[] {9, 9}, 0), Form.LEGACY)
                            .count())
                    .isZero();
            assertThat(DlPack.takeHost(
                                    arena, tensor(arena, 2, 32, new long[] {1, 3}, new long[] {99, 1}, 0), Form.LEGACY)
                            .count())
                    .as("the stride of an extent of 1 says nothing")
                    .isEqualTo(3);
            long offset = tensor(arena, 2, 32, new long[] {2}, null, 8);
            assertThat(DlPack.takeHost(arena, offset, Form.LEGACY).address())
                    .isEqualTo(NativeMemory.at(offset, 8).get(JAVA_LONG, 0) + 8);
        }
    }

    @Test
    void whatNoArrayCanBeIsRefused() {
        try (Arena arena = Arena.ofConfined()) {
            refused(arena, tensor(arena, 2, 32, new long[] {2, 3}, new long[] {1, 2}, 0), "not dense");
            refused(arena, tensor(arena, 2, 32, new long[] {3}, new long[] {2}, 0), "not dense");
            refused(arena, tensor(arena, 6, 8, new long[] {3}, null, 0), "bool");
            refused(arena, tensor(arena, 17, 4, new long[] {3}, null, 0), "code 17 with 4 bits");
            refused(arena, tensor(arena, 2, 32, new long[] {3}, null, 2), "not aligned");
            refused(arena, tensor(arena, 2, 32, new long[] {-3}, null, 0), "shape is [-3]");
            refused(arena, tensor(arena, 2, 32, new long[] {1L << 40, 1L << 40}, null, 0), "shape is [1099511627776,");
            refused(arena, tensor(arena, 2, 32, new long[] {1L << 62}, null, 0), "4611686018427387904");
            refused(arena, without(tensor(arena, 2, 32, new long[] {3}, null, 4), DlPack.DATA), "address is NULL");
            refused(arena, without(tensor(arena, 2, 32, new long[] {3}, null, 0), DlPack.SHAPE), "shape is NULL");
            assertThatThrownBy(() -> DlPack.takeHost(arena, 0, Form.LEGACY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("NULL");
            // A struct must not be read as the other one because somebody forgot to say which it is.
            assertThatThrownBy(() -> DlPack.takeHost(arena, tensor(arena, 2, 32, new long[] {3}, null, 0), null))
                    .isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> DlPack.discard(0, Form.LEGACY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("NULL");
            MemorySegment versioned = arena.allocate(80, 8);
            versioned.set(JAVA_INT, 0, 2);
            assertThatThrownBy(() -> DlPack.takeHost(arena, versioned.address(), Form.VERSIONED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("DLPack 2");
        }
    }

    private static long without(long tensor, long pointer) {
        NativeMemory.at(tensor, 64).set(JAVA_LONG, pointer, 0);
        return tensor;
    }

    private static void refused(Arena arena, long tensor, String why) {
        assertThatThrownBy(() -> DlPack.takeHost(arena, tensor, Form.LEGACY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    /** A legacy tensor in host memory that nobody wants back. */
    private static long tensor(
            Arena arena, int code, int bits, long[] shape, long @Nullable [] strides, long byteOffset) {
        MemorySegment struct = arena.allocate(64, 8);
        struct.set(JAVA_LONG, 0, arena.allocate(256, 64).address());
        struct.set(JAVA_INT, 8, 1);
        struct.set(JAVA_INT, 16, shape.length);
        struct.set(JAVA_BYTE, 20, (byte) code);
        struct.set(JAVA_BYTE, 21, (byte) bits);
        struct.set(JAVA_SHORT, 22, (short) 1);
        struct.set(JAVA_LONG, 24, arena.allocateFrom(JAVA_LONG, shape).address());
        struct.set(
                JAVA_LONG,
                32,
                strides == null ? 0 : arena.allocateFrom(JAVA_LONG, strides).address());
        struct.set(JAVA_LONG, 40, byteOffset);
        return struct.address();
    }

    @Test
    void readOnlyHostMemoryStaysReadOnly() {
        int before = DlPack.lentCount();
        HostArray readOnly = HostArray.wrap(HostArray.of(1f, 2f, 3f).segment().asReadOnly(), DataType.FLOAT32);
        assertThatThrownBy(() -> DlPack.lend(readOnly, Form.LEGACY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the legacy form cannot say")
                .hasMessageContaining("read-only");
        assertThatThrownBy(() -> DlPack.lend(HostArray.of(1f), Form.LEGACY, Set.of(Flag.COPIED)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("COPIED");
        long tensor = DlPack.lend(readOnly, Form.VERSIONED);
        assertThat(DlPack.flags(tensor, Form.VERSIONED)).containsExactly(Flag.READ_ONLY);
        try (Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> DlPack.takeHost(arena, tensor, Form.VERSIONED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
            HostArray taken = DlPack.takeHostToRead(arena, tensor, Form.VERSIONED);
            assertThat(taken.toFloatArray()).containsExactly(1, 2, 3);
            assertThatThrownBy(() -> taken.setFloat(0, 9)).isInstanceOf(IllegalArgumentException.class);
            // What is lent on is not more than what was taken.
            long again = DlPack.lend(taken, Form.VERSIONED, Set.of(Flag.SUBBYTE_PADDED));
            assertThat(DlPack.flags(again, Form.VERSIONED)).containsExactly(Flag.READ_ONLY, Flag.SUBBYTE_PADDED);
            DlPack.discard(again, Form.VERSIONED);
        }
        assertThat(DlPack.flags(0, Form.LEGACY)).isEmpty();
        assertThatThrownBy(() -> DlPack.flags(0, Form.VERSIONED)).isInstanceOf(IllegalArgumentException.class);
        assertThat(DlPack.lentCount()).isEqualTo(before);
    }
}
