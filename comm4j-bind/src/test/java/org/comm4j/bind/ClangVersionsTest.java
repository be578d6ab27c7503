// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.bind.clang.Clang;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Headers of CUDA and of the tests, read by each {@code clang-NN} on the {@code PATH}: all find the same. */
@Tag("nightly")
class ClangVersionsTest {
    /** The header, the functions that there are at least, and settings. */
    record Header(String name, int atLeast, List<String> settings) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Header> HEADERS = List.of(
            new Header("templates.cuh", 45, List.of()),
            new Header("cub/block/block_reduce.cuh", 20, List.of()),
            new Header("cub/warp/warp_scan.cuh", 20, List.of()),
            new Header("members.cuh", 10, List.of()),
            new Header("cooperative_groups.h", 20, List.of()),
            new Header("curand_kernel.h", 120, List.of("files curand_.*\\.h")),
            new Header("cuda_fp4.h", 50, List.of("files cuda_fp4\\.hpp")),
            new Header("cuda_bf16.h", 300, List.of()),
            new Header("cuda_fp16.h", 300, List.of()),
            new Header("cuda_fp8.h", 200, List.of("files cuda_fp8\\.hpp")),
            new Header("cuda_fp6.h", 90, List.of("files cuda_fp6\\.hpp")));

    @BeforeAll
    static void require() {
        DeviceCases.require();
        assumeTrue(Natives.find("nvidia-curand").isPresent(), Natives.missing("nvidia-curand"));
    }

    static Stream<Arguments> headers() {
        return HEADERS.stream().map(Arguments::of);
    }

    /** What clang finds; NVRTC is the same for all. */
    private static List<String> functions(Header header, String clang) throws IOException {
        DeviceConfig config = DeviceCases.config("org.example.Versions", "header " + header.name(), "clang " + clang);
        header.settings().forEach(setting -> config.set(setting.split(" ")[0], setting.split(" ")[1]));
        config.tried = false;
        return Binder.generate(config, DeviceCases.includes()).bindings().stream()
                .map(binding -> binding.name() + " " + binding.arguments().size() + " "
                        + binding.results().size() + " " + binding.values().size())
                .sorted()
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("headers")
    void allVersionsFindTheSame(Header header) throws IOException {
        List<String> versions = Clang.versions();
        assumeTrue(!versions.isEmpty(), "no clang-NN on the PATH");
        List<String> newest = functions(header, versions.getFirst());
        assertThat(newest).as(versions.getFirst()).hasSizeGreaterThanOrEqualTo(header.atLeast());
        for (String other : versions.subList(1, versions.size())) {
            assertThat(functions(header, other)).as(other).isEqualTo(newest);
        }
    }
}
