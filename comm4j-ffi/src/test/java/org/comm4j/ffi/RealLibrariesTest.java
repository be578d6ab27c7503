// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Optional;
import org.comm4j.ffi.compiler.LibNvJitLink;
import org.comm4j.ffi.compiler.LibNvrtc;
import org.comm4j.ffi.compiler.LibNvvm;
import org.comm4j.ffi.compiler.NvrtcProgram;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclDevResourceRequirements;
import org.comm4j.ffi.nccl.NcclLsaBarrierHandle;
import org.comm4j.ffi.nccl.NcclTeam;
import org.comm4j.ffi.nccl.NcclUniqueId;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** NCCL and CUDA's compilers from their wheels: as far as they go without a GPU. */
class RealLibrariesTest {
    @BeforeAll
    static void wheels() {
        Natives.use();
    }

    private static void needs(NativeLibrary library) {
        assumeTrue(library.isPresent(), () -> library.problem() + " dev/natives fetches it for tests");
    }

    @Test
    void ncclSaysItsVersion() {
        needs(LibNccl.library());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(JAVA_INT);
            LibNccl.ncclGetVersion(version);
            int code = version.get(JAVA_INT, 0);
            assertThat(LibNccl.library().version())
                    .isEqualTo(code / 10000 + "." + code % 10000 / 100 + "." + code % 100);
        }
        assertThat(LibNccl.library().problem()).isNull();
        assertThat(LibNccl.library().places().getLast().outcome())
                .isEqualTo("loaded " + LibNccl.library().file());
        assertThat(LibNccl.has("ncclAllReduce")).isTrue();
        assertThatThrownBy(() -> LibNccl.has("ncclNone"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("comm4j binds no function ncclNone of NCCL");
    }

    @Test
    void aCallThatNeedsADriver() {
        needs(LibNccl.library());
        assumeFalse(LibCuda.library().isPresent(), "this machine has a CUDA driver");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(NcclUniqueId.LAYOUT);
            MemorySegment comm = arena.allocate(ADDRESS);
            NativeCallException failure =
                    catchThrowableOfType(NativeCallException.class, () -> LibNccl.ncclCommInitRank(comm, 1, id, 0));
            assertThat(failure.function()).isEqualTo("ncclCommInitRank");
            assertThat(failure.statusName()).isEqualTo("ncclUnhandledCudaError");
            assertThat(failure.status()).isEqualTo(LibNccl.ncclUnhandledCudaError);
            assertThat(failure)
                    .hasMessageStartingWith("ncclCommInitRank failed: unhandled cuda error")
                    .hasMessageContaining("driver")
                    .hasMessageEndingWith("(ncclUnhandledCudaError = 1), NCCL "
                            + LibNccl.library().version() + " ("
                            + LibNccl.library().file() + ")");
        }
    }

    /** What a barrier needs depends on the size of the team, which is passed by value. */
    @Test
    void structsByValue() {
        needs(LibNccl.library());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment team = arena.allocate(NcclTeam.LAYOUT);
            MemorySegment handle = arena.allocate(NcclLsaBarrierHandle.LAYOUT);
            MemorySegment requirements = arena.allocate(NcclDevResourceRequirements.LAYOUT);
            team.set(JAVA_INT, NcclTeam.stride, 1);
            long[] bytes = new long[2];
            for (int i = 0; i < 2; i++) {
                team.set(JAVA_INT, NcclTeam.nRanks, i == 0 ? 2 : 8);
                LibNccl.ncclLsaBarrierCreateRequirement(team, 3, handle, requirements);
                bytes[i] = requirements.get(JAVA_LONG, NcclDevResourceRequirements.bufferSize);
            }
            assertThat(bytes[1]).isGreaterThan(bytes[0]);
            assertThat(handle.get(JAVA_INT, NcclLsaBarrierHandle.nBarriers)).isEqualTo(3);
        }
    }

    @Test
    void wrongArgumentsAreNamed() {
        needs(LibNccl.library());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            assertThatThrownBy(() -> LibNccl.ncclCommCount(NcclComm.NULL, count))
                    .isInstanceOf(NativeCallException.class)
                    .hasMessageContaining("ncclCommCount failed: invalid argument")
                    .hasMessageContaining("ncclInvalidArgument = 4");
        }
    }

    @Test
    void whatAnOlderNcclLacks() {
        Optional<Path> old = Natives.nccl("2.28.9");
        assumeTrue(old.isPresent(), Natives.missing("nvidia-nccl-cu13-2.28.9"));
        Surroundings process = Surroundings.ofProcess();
        Surroundings surroundings = new Surroundings(
                name -> name.equals(LibraryName.NCCL.property())
                        ? old.orElseThrow().toString()
                        : "",
                process.variables(),
                process.home(),
                process.root(),
                process.loader());
        NativeLibrary library = new Locator(LibraryName.NCCL, surroundings).locate();
        assertThat(library.version()).isEqualTo("2.28.9");
        assertThatThrownBy(() -> library.function("ncclCommGrow", "2.29.2").address())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("ncclCommGrow needs NCCL 2.29.2 or newer; loaded: 2.28.9 (" + old.orElseThrow() + ")");
        assertThat(library.has("ncclCommGrow")).isFalse();
    }

    /** What a steady loop of collectives does on the host: the call itself must leave nothing for the collector. */
    @Test
    void callsAllocateNothing() {
        needs(LibNccl.library());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        MemorySegment version = Arena.global().allocate(JAVA_INT);
        long allocated = 1;
        // Until the compiler has compiled the loop, which takes a few rounds.
        for (int round = 0; round < 50 && allocated > 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 20_000; i++) {
                LibNccl.ncclGetVersion(version);
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocated).isZero();
    }

    @Test
    void noDriver() {
        assumeFalse(LibCuda.library().isPresent(), "this machine has a CUDA driver");
        assertThatThrownBy(() -> LibCuda.cuInit(0))
                .isInstanceOf(LibraryNotFoundException.class)
                .hasMessageStartingWith(
                        "cuInit cannot be called: no CUDA driver: libcuda.so.1 not found. Install NVIDIA's driver")
                .hasMessageContaining("/usr/local/nvidia/lib64");
        assertThat(LibCuda.has("cuLaunchKernel")).isFalse();
        assertThat(LibCuda.library().version()).isNull();
        assertThat(LibCuda.statusName(700)).isEqualTo("CUDA_ERROR_ILLEGAL_ADDRESS");
        assertThat(LibCuda.statusName(-5)).isEqualTo("status -5");
    }

    private static MemorySegment strings(Arena arena, String... strings) {
        MemorySegment array = arena.allocate(ADDRESS, strings.length);
        for (int i = 0; i < strings.length; i++) {
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(strings[i]));
        }
        return array;
    }

    private static NvrtcProgram program(Arena arena, String source) {
        MemorySegment cell = arena.allocate(JAVA_LONG);
        LibNvrtc.nvrtcCreateProgram(
                cell,
                arena.allocateFrom(source),
                arena.allocateFrom("add.cu"),
                0,
                MemorySegment.NULL,
                MemorySegment.NULL);
        return new NvrtcProgram(cell.get(JAVA_LONG, 0));
    }

    @Test
    void nvrtcCompilesAKernel() {
        needs(LibNvrtc.library());
        try (Arena arena = Arena.ofConfined()) {
            NvrtcProgram program =
                    program(arena, "extern \"C\" __global__ void add(float* a) { a[threadIdx.x] += 1; }");
            LibNvrtc.nvrtcCompileProgram(program, 1, strings(arena, "-arch=sm_90"));
            MemorySegment size = arena.allocate(JAVA_LONG);
            LibNvrtc.nvrtcGetPTXSize(program, size);
            MemorySegment ptx = arena.allocate(size.get(JAVA_LONG, 0));
            LibNvrtc.nvrtcGetPTX(program, ptx);
            assertThat(ptx.getString(0)).contains(".visible .entry add(", ".target sm_90");
            LibNvrtc.nvrtcGetCUBINSize(program, size);
            MemorySegment cubin = arena.allocate(size.get(JAVA_LONG, 0));
            LibNvrtc.nvrtcGetCUBIN(program, cubin);
            assertThat(cubin.asSlice(0, 4).toArray(JAVA_BYTE)).containsExactly(0x7f, 'E', 'L', 'F');
            MemorySegment cell = arena.allocate(JAVA_LONG);
            cell.set(JAVA_LONG, 0, program.address());
            LibNvrtc.nvrtcDestroyProgram(cell);
        }
    }

    @Test
    void nvrtcSaysWhatIsWrong() {
        needs(LibNvrtc.library());
        try (Arena arena = Arena.ofConfined()) {
            NvrtcProgram program = program(arena, "__global__ void add(floot* a) {}");
            assertThatThrownBy(() -> LibNvrtc.nvrtcCompileProgram(program, 0, MemorySegment.NULL))
                    .isInstanceOf(NativeCallException.class)
                    .hasMessageStartingWith(
                            "nvrtcCompileProgram failed: NVRTC_ERROR_COMPILATION (NVRTC_ERROR_COMPILATION = 6),"
                                    + " NVRTC ");
            MemorySegment size = arena.allocate(JAVA_LONG);
            LibNvrtc.nvrtcGetProgramLogSize(program, size);
            MemorySegment log = arena.allocate(size.get(JAVA_LONG, 0));
            LibNvrtc.nvrtcGetProgramLog(program, log);
            assertThat(log.getString(0)).contains("floot");
        }
    }

    @Test
    void linkerAndNvvmSayTheirVersions() {
        needs(LibNvJitLink.library());
        needs(LibNvvm.library());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment major = arena.allocate(JAVA_INT);
            MemorySegment minor = arena.allocate(JAVA_INT);
            LibNvJitLink.nvJitLinkVersion(major, minor);
            assertThat(LibNvJitLink.library().version())
                    .isEqualTo(major.get(JAVA_INT, 0) + "." + minor.get(JAVA_INT, 0));
            LibNvvm.nvvmVersion(major, minor);
            assertThat(LibNvvm.library().version()).isEqualTo(major.get(JAVA_INT, 0) + "." + minor.get(JAVA_INT, 0));
            MemorySegment cell = arena.allocate(JAVA_LONG);
            assertThatThrownBy(() -> LibNvJitLink.nvJitLinkCreate(cell, 1, strings(arena, "-nonsense")))
                    .isInstanceOf(NativeCallException.class)
                    .hasMessageContaining("NVJITLINK_ERROR_");
        }
    }
}
