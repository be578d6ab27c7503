// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.comm4j.core.DataType;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;

/**
 * Kernels of one thread, each an atomic instruction on an address that the GPU reaches, in its own memory or another
 * GPU's: in PTX, which the driver compiles in a moment. All have the same parameters: where, the value, the value to
 * compare with, and where what was there goes, or 0.
 */
final class AtomicKernels {
    /** An instruction, by the name of its kernel; {@code _32} and {@code _64} are integers of any sign. */
    enum Kind {
        ADD_32("b32", "atom.relaxed.sys.global.add.u32 was, [to], value;"),
        ADD_64("b64", "atom.relaxed.sys.global.add.u64 was, [to], value;"),
        ADD_F16("b16", "atom.relaxed.sys.global.add.noftz.f16 was, [to], value;"),
        ADD_F32("b32", "atom.relaxed.sys.global.add.f32 was, [to], value;"),
        ADD_F64("b64", "atom.relaxed.sys.global.add.f64 was, [to], value;"),
        SWAP_32("b32", "atom.relaxed.sys.global.exch.b32 was, [to], value;"),
        SWAP_64("b64", "atom.relaxed.sys.global.exch.b64 was, [to], value;"),
        COMPARE_SWAP_32("b32", "atom.relaxed.sys.global.cas.b32 was, [to], condition, value;"),
        COMPARE_SWAP_64("b64", "atom.relaxed.sys.global.cas.b64 was, [to], condition, value;"),
        AND_32("b32", "atom.relaxed.sys.global.and.b32 was, [to], value;"),
        AND_64("b64", "atom.relaxed.sys.global.and.b64 was, [to], value;"),
        OR_32("b32", "atom.relaxed.sys.global.or.b32 was, [to], value;"),
        OR_64("b64", "atom.relaxed.sys.global.or.b64 was, [to], value;"),
        XOR_32("b32", "atom.relaxed.sys.global.xor.b32 was, [to], value;"),
        XOR_64("b64", "atom.relaxed.sys.global.xor.b64 was, [to], value;"),
        FETCH_32("b32", "ld.relaxed.sys.global.b32 was, [to];"),
        FETCH_64("b64", "ld.relaxed.sys.global.b64 was, [to];"),
        SET_32("b32", "st.relaxed.sys.global.b32 [to], value; mov.b32 was, value;"),
        SET_64("b64", "st.relaxed.sys.global.b64 [to], value; mov.b64 was, value;");

        private final String register;
        private final String instruction;

        Kind(String register, String instruction) {
            this.register = register;
            this.instruction = instruction;
        }

        String kernel() {
            return "comm4j_atomic_" + name().toLowerCase(Locale.ROOT);
        }

        private String ptx() {
            return """
                    .visible .entry %s(
                        .param .u64 p_to, .param .u64 p_value, .param .u64 p_condition, .param .u64 p_was)
                    {
                        .reg .pred none;
                        .reg .b64 to, wide, out;
                        .reg .%s value, condition, was;
                        ld.param.u64 to, [p_to];
                        ld.param.u64 wide, [p_value];
                        %s
                        ld.param.u64 wide, [p_condition];
                        %s
                        ld.param.u64 out, [p_was];
                        %s
                        setp.eq.u64 none, out, 0;
                        @none bra END;
                        st.global.%s [out], was;
                    END:
                        ret;
                    }
                    """.formatted(kernel(), register, narrow("value"), narrow("condition"), instruction, register);
        }

        private String narrow(String name) {
            return switch (register) {
                case "b16" -> "cvt.u16.u64 " + name + ", wide;";
                case "b32" -> "cvt.u32.u64 " + name + ", wide;";
                default -> "mov.b64 " + name + ", wide;";
            };
        }
    }

    private static final LaunchConfig ONE_THREAD = LaunchConfig.grid(1).block(1);

    /** By kind. */
    private final PreparedLaunch[] launches;

    /** What was there, for the host. */
    private final PinnedArray was;

    /**
     * Loads them all. The driver may wait for the kernels that run while it loads others, and one of them may be
     * waiting for what an atomic operation would do: so this is done before there are any.
     */
    AtomicKernels(Device device) {
        CudaModule module = CudaModule.load(device, ptx().getBytes(StandardCharsets.US_ASCII));
        this.launches = Arrays.stream(Kind.values())
                .map(kind -> module.function(kind.kernel()).prepare(ONE_THREAD, 0L, 0L, 0L, 0L))
                .toArray(PreparedLaunch[]::new);
        this.was = device.allocatePinned(DataType.INT64, 1);
    }

    /** All kernels: for GPUs from Volta on, as NVSHMEM. */
    static String ptx() {
        StringBuilder text = new StringBuilder(".version 6.3\n.target sm_70\n.address_size 64\n");
        for (Kind kind : Kind.values()) {
            text.append(kind.ptx());
        }
        return text.toString();
    }

    /**
     * Whether atomic instructions of this GPU on another one's memory are atomic towards those of others: across NVLink
     * they are, across PCIe as a rule not. True also if the driver cannot tell.
     *
     * @param address of memory of some GPU
     */
    static boolean areAtomic(Device device, long address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(JAVA_INT);
            device.makeCurrent();
            LibCuda.cuPointerGetAttribute(cell.address(), LibCuda.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address);
            return Library.isAtomic(device.ordinal(), cell.get(JAVA_INT, 0));
        } catch (NativeCallException e) {
            // This process may not see the other GPU.
            return true;
        }
    }

    /**
     * Puts an atomic operation into {@code stream}. Allocates nothing.
     *
     * @param fetch whether what was there will be asked for by {@link #result}
     */
    void launch(Kind kind, long to, long value, long condition, boolean fetch, Stream stream) {
        launches[kind.ordinal()]
                .set(0, to)
                .set(1, value)
                .set(2, condition)
                .set(3, fetch ? was.address() : 0)
                .launch(stream);
    }

    /** The low bits of what was there at the last fetching operation, when its stream has passed it. */
    long result() {
        return was.getLong(0);
    }
}
