// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The structs that we write with nothing set are, byte by byte, what the initializers of NCCL's own headers give, and
 * those that kernels need are read as C writes them.
 */
class InitializersTest {
    private static final Path NATIVES = Path.of(
            System.getenv("XDG_CACHE_HOME") != null
                    ? System.getenv("XDG_CACHE_HOME")
                    : System.getProperty("user.home") + "/.cache",
            "comm4j/natives");

    private static final String PROGRAM = """
        #include <nccl.h>
        #include <nccl_device.h>
        #include <cstdio>
        #include <cstring>
        template <class T> void dump(T const& struct_) {
            for (size_t i = 0; i < sizeof(T); i++) printf("%02x", reinterpret_cast<unsigned char const*>(&struct_)[i]);
            puts("");
        }
        int main() {
            ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
            dump(config);
        #if NCCL_VERSION_CODE >= 23000
            ncclDevCommRequirements requirements = NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER;
            dump(requirements);
        #endif
        #if NCCL_VERSION_CODE >= 23100
            ncclCollConfig_t call = NCCL_COLLCONFIG_INITIALIZER;
            dump(call);
        #endif
        #if NCCL_VERSION_CODE >= 23200
            ncclEncryptionConfig_t encryption = NCCL_ENCRYPTION_CONFIG_INITIALIZER;
            dump(encryption);
        #endif
            ncclDevComm kernels;
            memset(&kernels, 0xee, sizeof kernels);
            kernels.lsaRank = 3;
            kernels.lsaSize = 5;
            kernels.resourceWindow_inlined.lsaFlatBase = (char*)0x7f0123456000;
            kernels.resourceWindow_inlined.stride4G = 0x80000007;
            kernels.lsaBarrier.bufHandle = 11;
            kernels.lsaBarrier.nBarriers = 13;
            kernels.ginContextCount = 17;
            kernels.ginSignalCount = 19;
            kernels.ginCounterCount = 23;
        #if NCCL_VERSION_CODE < 22900
            kernels.ginTypes[0] = 3;
        #else
            kernels.ginNetDeviceTypes[0] = 3;
        #endif
            dump(kernels);
            ncclWindow_vidmem window;
            memset(&window, 0xee, sizeof window);
            window.lsaFlatBase = (char*)0x7f0123456000;
            window.stride4G = 17;
            window.lsaRank = 19;
            dump(window);
        }
        """;

    @TempDir
    Path folder;

    @BeforeAll
    static void beforeNcclIsLoaded() {
        Simulation.prepare();
    }

    /** The newest one, which has all structs, unless there is much time. */
    static List<Arguments> versions() {
        return Nightly.variants(
                -1,
                List.of(
                        Arguments.of("2.28.9", 22809),
                        Arguments.of("2.30.7", 23007),
                        Arguments.of("2.31.2", 23102),
                        Arguments.of("2.32.3", 23203)));
    }

    @ParameterizedTest
    @MethodSource("versions")
    void asInTheHeader(String name, int version) throws Exception {
        List<String> expected = compileAndRun(name);
        int initializers = version < 23000 ? 1 : version < 23100 ? 2 : version < 23200 ? 3 : 4;
        assertThat(expected).hasSize(initializers + 2);
        MemorySegment kernels = MemorySegment.ofArray(HexFormat.of().parseHex(expected.get(initializers)));
        assertThat(kernels.byteSize()).isEqualTo(DeviceCommunicator.bytes(version));
        assertThat(DeviceCommunicator.resources(version, kernels))
                .isEqualTo(new LsaMemory(0x7f0123456000L, 0x80000007L << 32, 3, 5));
        assertThat(DeviceCommunicator.lsaBarriers(version, kernels)).isEqualTo(new LsaBarrierHandle(11, 13));
        assertThat(DeviceCommunicator.network(version, kernels)).isEqualTo(new DeviceNetwork(17, 19, 23, "GDAKI"));
        MemorySegment window = MemorySegment.ofArray(HexFormat.of().parseHex(expected.get(initializers + 1)));
        assertThat(LsaMemory.ofWindow(window, 23)).isEqualTo(new LsaMemory(0x7f0123456000L, 17L << 32, 19, 23));
        try (Arena arena = Arena.ofConfined()) {
            assertThat(hex(CommConfig.DEFAULT.write(version, arena))).isEqualTo(expected.get(0));
            if (version >= 23000) {
                assertThat(hex(DeviceRequirements.NONE
                                .write(version, arena, NcclComm.NULL)
                                .struct()))
                        .isEqualTo(expected.get(1));
            }
            if (version >= 23100) {
                assertThat(hex(CollConfig.DEFAULT.write(version, arena))).isEqualTo(expected.get(2));
            }
            if (version >= 23200) {
                assertThat(hex(Encryption.write(null, version, arena))).isEqualTo(expected.get(3));
            }
        }
    }

    private static String hex(MemorySegment struct) {
        return HexFormat.of().formatHex(struct.toArray(JAVA_BYTE));
    }

    private List<String> compileAndRun(String version) throws IOException, InterruptedException {
        Path nccl = NATIVES.resolve("nvidia-nccl-cu13-" + version).resolve("nvidia/nccl/include");
        Assumptions.assumeTrue(Files.isDirectory(nccl), "NCCL's headers are not there; dev/natives fetches them");
        List<String> command = new ArrayList<>(List.of("g++", "-std=c++17", "-w", "-I" + nccl));
        try (Stream<Path> wheels = Files.list(NATIVES)) {
            wheels.filter(wheel -> wheel.getFileName().toString().startsWith("nvidia-cuda-"))
                    .map(wheel -> wheel.resolve("nvidia/cu13/include"))
                    .forEach(include -> command.addAll(List.of("-I" + include, "-I" + include.resolve("cccl"))));
        }
        Path source = Files.writeString(folder.resolve("dump.cc"), PROGRAM);
        Path program = folder.resolve("dump");
        command.addAll(List.of("-o", program.toString(), source.toString()));
        run(command);
        return run(List.of(program.toString())).lines().toList();
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return Assumptions.abort("there is no " + command.getFirst());
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
