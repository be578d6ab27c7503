// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recipes of docs/bindings.md: their commands, their C++ and their kernels, as far as machine code. */
@Tag("nightly")
class RecipesTest {
    private static final Path PAGE = Path.of("../docs/bindings.md");
    private static final Pattern BLOCK = Pattern.compile("(?s)```(cuda|java|sh)\n(.*?)```");
    private static final String SOFTEN =
            "__device__ float soften(float x, float width) { return x / (width + (x < 0 ? -x : x)); }\n";

    @TempDir
    Path folder;

    @BeforeAll
    static void require() {
        DeviceCases.require();
        for (String wheel : List.of("nvidia-nvvm", "nvidia-nvjitlink")) {
            assumeTrue(Natives.find(wheel).isPresent(), Natives.missing(wheel));
        }
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
    }

    /** A section's command is run with its header; its kernel is compiled with the class that comes of it. */
    private KernelCode recipe(String title, DeviceUnit... definitions) throws Exception {
        String page = Files.readString(PAGE);
        int from = page.indexOf("### " + title + "\n");
        assertThat(from).as(title).isPositive();
        int to = page.indexOf("\n### ", from);
        String section = page.substring(from, to < 0 ? page.length() : to);
        List<MatchResult> blocks = BLOCK.matcher(section).results().toList();
        DeviceConfig config = new DeviceConfig();
        String java = "";
        for (MatchResult block : blocks) {
            String text = block.group(2);
            switch (block.group(1)) {
                case "cuda" -> Files.writeString(folder.resolve(first(text)), text);
                case "sh" -> command(text.strip(), config);
                default -> java = text;
            }
        }
        List<Path> includes = new ArrayList<>(List.of(folder));
        includes.addAll(DeviceCases.cuda());
        Class<?> library = DeviceCases.compile(config.className, Binder.generate(config, includes), folder);
        String name = first(java);
        String text = "package " + name.substring(0, name.lastIndexOf('.')) + ";\n" + java;
        Method kernel = Arrays.stream(DeviceCases.compile(name, text, folder).getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Kernel.class))
                .findFirst()
                .orElseThrow();
        DeviceUnit unit = (DeviceUnit)
                library.getMethod("deviceUnit", Path[].class).invoke(null, (Object) includes.toArray(Path[]::new));
        for (DeviceUnit definition : definitions) {
            unit = unit.with(definition);
        }
        return KernelCode.compile(
                kernel,
                CudaArch.parse("sm_90"),
                CompileOptions.DEFAULT.withoutCache().with(unit));
    }

    /** What the comment in a block's first line says. */
    private static String first(String text) {
        return text.lines().findFirst().orElseThrow().replaceFirst("// ", "").strip();
    }

    private static void command(String line, DeviceConfig config) {
        String[] words = line.replace("'", "").split(" ");
        assertThat(words).startsWith("comm4j", "bind");
        for (int i = 2; i < words.length; i++) {
            boolean option = words[i].startsWith("--");
            config.set(option ? words[i].substring(2) : "header", words[option ? ++i : i]);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CUB", "CUB with an operator, and cooperative groups"})
    void isInlined(String title) throws Exception {
        KernelCode code = recipe(title);
        assertThat(code.ptx().lines().filter(line -> line.contains("call"))).isEmpty();
        assertThat(code.attributes().sharedBytes()).isPositive();
    }

    @Test
    void aLibraryInSource() throws Exception {
        assertThat(recipe("A library of your own", DeviceUnit.source("mylib", SOFTEN))
                        .ptx())
                .contains("div.rn.f32")
                .doesNotContain("call");
    }

    @Test
    void aLibraryInLtoIr() throws Exception {
        byte[] ltoIr = Nvrtc.compileLto(SOFTEN, "mylib.cu", "sm_90");
        assertThat(recipe("A library of your own", DeviceUnit.ltoIr("mylib", ltoIr))
                        .ptx())
                .contains("div.rn.f32")
                .doesNotContain("call");
    }

    /** As of a fat binary: the function is called. */
    @Test
    void aLibraryInPtx() throws Exception {
        String ptx = new String(
                        Nvrtc.compile(SOFTEN, "mylib.cu", "compute_90", "--relocatable-device-code=true"),
                        StandardCharsets.ISO_8859_1)
                .replace("\0", "");
        KernelCode code = recipe("A library of your own", DeviceUnit.ptx("mylib", ptx));
        assertThat(code.cubin()).isNotEmpty();
    }

    @Test
    void everyRecipeWithAKernelIsTried() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(Pattern.compile("```java\n").matcher(page).results()).hasSize(3);
    }
}
