// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Headers and settings, right and wrong. */
@Tag("nightly")
class BinderTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void require() {
        DeviceCases.require();
    }

    private record Outcome(int status, String out, String err) {}

    /** The options of the command; a header stands alone. */
    private Outcome run(String... arguments) {
        DeviceConfig config = new DeviceConfig();
        Path sources = folder;
        Path resources = null;
        try {
            for (int i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--out" -> sources = Path.of(arguments[++i]);
                    case "--resources" -> resources = Path.of(arguments[++i]);
                    default -> {
                        boolean option = arguments[i].startsWith("--");
                        config.set(option ? arguments[i].substring(2) : "header", arguments[option ? ++i : i]);
                    }
                }
            }
            Binder.Written written =
                    Binder.write(config, DeviceCases.cuda(), sources, resources == null ? sources : resources);
            return new Outcome(0, written.toString(), "");
        } catch (IllegalArgumentException e) {
            return new Outcome(2, "", String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return new Outcome(1, "", String.valueOf(e.getMessage()));
        }
    }

    private Path header(String text) throws IOException {
        return Files.writeString(folder.resolve("mine.cuh"), text);
    }

    private Outcome runOn(String text, String... more) throws IOException {
        String[] arguments = new String[more.length + 5];
        arguments[0] = header(text).toString();
        arguments[1] = "--class";
        arguments[2] = "org.example.Mine";
        arguments[3] = "--out";
        arguments[4] = folder.resolve("out").toString();
        System.arraycopy(more, 0, arguments, 5, more.length);
        return run(arguments);
    }

    @Test
    void curandIsFoundAmongTheWheels() {
        assumeTrue(Natives.find("nvidia-curand").isPresent(), Natives.missing("nvidia-curand"));
        Outcome outcome = run(
                "curand_philox4x32_x.h",
                "--class",
                "org.example.Philox",
                "--include",
                "curand_Philox4x32_10",
                "--out",
                folder.toString());
        assertThat(outcome.err()).isEmpty();
        assertThat(folder.resolve("org/example/Philox.java")).content().contains("curand_Philox4x32_10(");
    }

    @Test
    void filesAreWritten() throws IOException {
        Outcome outcome = runOn(
                """
                __device__ inline int mine(int x) { return x; }
                __device__ inline int mine_not(int x) { return x; }
                __global__ void k() {}
                """, "--resources", folder.resolve("res").toString(), "--exclude", ".*_not", "--name", "mine = yours");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        assertThat(outcome.out()).contains("Mine.java, ", "Mine.left-out.txt, functions=1, missing=1");
        assertThat(folder.resolve("out/org/example/Mine.java")).content().contains("public static int yours(int x)");
        assertThat(folder.resolve("res/org/example/Mine.cu"))
                .content()
                .contains("#include \"mine.cuh\"")
                .doesNotContain("mine_not");
        assertThat(folder.resolve("res/org/example/Mine.left-out.txt"))
                .content()
                .contains("k void () (mine.cuh:3): a kernel")
                .contains("mine.cuh, SHA-256 ");
    }

    @Test
    void aMissingHeader() {
        Outcome outcome = run("nowhere.cuh", "--class", "org.example.Mine");
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err())
                .startsWith("there is no header nowhere.cuh here nor in ")
                .contains("-I names more folders");
    }

    @Test
    void aHeaderThatIncludesAMissingOne() throws IOException {
        Outcome outcome = runOn("#include \"nowhere.h\"\n");
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("mine.cuh:1: fatal error: 'nowhere.h' file not found");
    }

    @Test
    void errorsInClangsWords() throws IOException {
        Outcome outcome = runOn("__device__ int good(int x);\n__device__ int bad(nothing x);\n");
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err())
                .contains("1 error in the header:")
                .contains("mine.cuh:2: error: unknown type name 'nothing'");
    }

    @Test
    void whatOnlyNvrtcKnowsIsNoError() throws IOException {
        Outcome outcome = runOn(
                "__device__ inline int lane(int x) { return __shfl_sync(~0u, x, threadIdx.x) + __nvvm_never_known;"
                        + " }\n");
        // Clang does not mind the body; NVRTC does.
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("NVRTC refuses the header").contains("__nvvm_never_known");
        assertThat(runOn("__device__ inline int lane(int x) { return __shfl_sync(~0u, x, threadIdx.x); }\n")
                        .err())
                .isEmpty();
    }

    @Test
    void aHeaderThatNvrtcHasNotIsNamedWithWhatTakesItsPlace() throws IOException {
        Outcome outcome = runOn("#include <cstdint>\n__device__ inline int f(int x) { return x; }\n");
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err())
                .contains("cannot open source file \"cstdint\"")
                .contains("#include <cuda/std/cstdint>")
                .contains("jextract");
    }

    @Test
    void optionsGoToNvrtcAndIntoTheClass() throws IOException {
        String header = "__device__ inline int f(int x) { return (int) ((__int128) x * x >> 1); }\n";
        assertThat(runOn(header).err()).contains("--nvrtc --device-int128 turns it on");
        assertThat(runOn(header, "--nvrtc", "--device-int128", "--std", "c++20").err())
                .isEmpty();
        assertThat(folder.resolve("out/org/example/Mine.java"))
                .content()
                .containsPattern("\"-std=c\\+\\+20\",\\s+\"--device-int128\"");
    }

    /** One bad function, which NVRTC finds in the header when the wrapper instantiates it, leaves the others. */
    @Test
    void oneBadFunctionLeavesTheOthers() throws IOException {
        Outcome outcome = runOn("""
            template <class T> struct Twice {
                __device__ static T of(T x) {
                    static_assert(sizeof(T) > 100, "too small");
                    return x + x;
                }
            };
            __device__ inline int good(int x) { return x; }
            """, "--instantiate", "Twice<int>");
        assertThat(outcome.err()).isEmpty();
        assertThat(folder.resolve("out/org/example/Mine.java"))
                .content()
                .contains("int good(")
                .doesNotContain("int of(");
        assertThat(folder.resolve("out/org/example/Mine.left-out.txt"))
                .content()
                .contains("NVRTC: ")
                .contains("too small");
    }

    /** CCCL needs macros with comments between them and their arguments, inline namespaces, and its own headers. */
    @Test
    void cubAndCooperativeGroupsBehindAWrapper() throws IOException {
        Outcome outcome = runOn("""
            #include <cooperative_groups.h>
            #include <cooperative_groups/reduce.h>
            #include <cub/block/block_reduce.cuh>
            template <int N> __device__ float blockSum(float x) {
                using Reduce = cub::BlockReduce<float, N>;
                __shared__ typename Reduce::TempStorage storage;
                return Reduce(storage).Sum(x);
            }
            __device__ inline float warpSum(float x) {
                auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
                return cooperative_groups::reduce(tile, x, cooperative_groups::plus<float>());
            }
            """, "--instantiate", "blockSum<128>");
        assertThat(outcome.err()).isEmpty();
        assertThat(folder.resolve("out/org/example/Mine.java"))
                .content()
                .contains("float blockSum_128(float x)")
                .contains("float warpSum(float x)");
    }

    @Test
    void whatNvrtcDoesNotSeeIsLeftOut() throws IOException {
        Outcome outcome = runOn("""
            #ifndef __CUDACC_RTC__
            __device__ inline int hidden(int x) { return x; }
            #endif
            __device__ inline int seen(int x) { return x; }
            """);
        assertThat(outcome.err()).isEmpty();
        assertThat(folder.resolve("out/org/example/Mine.java"))
                .content()
                .contains("int seen(")
                .doesNotContain("int hidden(");
        assertThat(folder.resolve("out/org/example/Mine.left-out.txt"))
                .content()
                .contains("hidden int (int) (mine.cuh:2): NVRTC: the global scope has no \"hidden\"");
    }

    @Test
    void nothingFound() throws IOException {
        Outcome outcome = runOn("__global__ void kernel() {}\n");
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err())
                .contains("nothing in mine.cuh is wanted and can be called")
                .contains("kernel void (): a kernel");
        assertThat(runOn("__device__ int f(int);", "--include", "g.*").err()).contains("; wanted are [g.*]");
    }

    @Test
    void templatesThatAreNotThere() throws IOException {
        String text = "template <class T> __device__ T f(T x) { return x; }\n";
        assertThat(runOn(text, "--instantiate", "g<int>").err())
                .contains("instantiate g<int>: ")
                .contains("'g'");
        assertThat(runOn(text, "--instantiate", "f").err())
                .contains("instantiate f: a template with its arguments is needed, such as clamp<float>");
        assertThat(runOn(text, "--instantiate", "f<nothing>").err())
                .contains("instantiate f<nothing>: ")
                .contains("nothing");
        assertThat(runOn(text, "--instantiate", "f<long>").status()).isZero();
    }

    @Test
    void headerAndClassAreNeeded() {
        assertThat(run("--class", "org.example.A").err()).isEqualTo("no header is given");
        assertThat(run("cuda_fp8.h").err()).startsWith("--class is missing: ");
        assertThat(run("cuda_fp8.h", "--class", "Plain").err()).contains("class Plain: a Java class with its package");
        assertThat(run("cuda_fp8.h", "--what", "x").err()).contains("there is no setting 'what'");
        assertThat(run("cuda_fp8.h", "--arch", "90").err()).contains("arch 90: sm_80, sm_90 and sm_100 are examples");
    }

    @Test
    void aWrongLineOfAConfigurationIsNamed() throws IOException {
        Path file = Files.writeString(
                folder.resolve("mine.conf"), "# a comment\n\nclass org.example.A # one more\ninclude (\n");
        assertThatThrownBy(() -> new DeviceConfig().read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file + ":4: include (: Unclosed group");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        name a      | name a: an = is missing
        name a = 1b | name a = 1b: 1b is no Java name
        intent a.b = out | intent a.b = out: FUNCTION.PARAMETER = in, inout or return is needed
        intent a = in | intent a = in: FUNCTION.PARAMETER = in, inout or return is needed
        include     | include needs a value
        """)
    void wrongSettings(String line, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.conf"), line);
        assertThatThrownBy(() -> new DeviceConfig().read(file)).hasMessage(file + ":1: " + message);
    }

    @Test
    void intentsThatCannotBe() throws IOException {
        runOn("""
                struct S; union U { int i; float f; };
                __device__ inline int f(S* s, U* u, void* v) { return 0; }
                __device__ inline int g(U* u) { return 0; }
                """, "--intent", "f.s = in", "--intent", "g.u = return");
        assertThat(folder.resolve("out/org/example/Mine.left-out.txt"))
                .content()
                .contains("parameter s cannot be a value: it points to no number and no struct")
                .contains("parameter u cannot be a value: U is only pointed to (a union)");
    }
}
