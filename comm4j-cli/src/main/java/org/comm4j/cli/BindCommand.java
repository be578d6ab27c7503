// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.bind.Binder;
import org.comm4j.bind.CudaHeaders;
import org.comm4j.bind.DeviceConfig;
import org.comm4j.cuda.Nvrtc;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comm4j bind}: a Java class of the device functions in CUDA headers. */
@Command(
        name = "bind",
        description = {
            "Make a Java class of a CUDA header's device functions, for kernels in Java.",
            "Needs clang and CUDA's headers, no GPU. Names and files are regular expressions; names match with their"
                    + " namespaces or without. docs/bindings.md has recipes."
        },
        mixinStandardHelpOptions = true)
final class BindCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "HEADER", arity = "0..*", description = "The headers, as in #include or as files.")
    private List<String> headers = new ArrayList<>();

    @Option(names = "--class", paramLabel = "NAME", description = "The Java class to write, with its package.")
    private @Nullable String className;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            defaultValue = ".",
            description = "Where sources go (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of(".");

    @Option(
            names = "--resources",
            paramLabel = "FOLDER",
            description = "Where the device code and the list of what was left out go (default: --out).")
    private @Nullable Path resources;

    @Option(names = "-I", paramLabel = "FOLDER", description = "A folder of headers; may be repeated.")
    private List<Path> includes = new ArrayList<>();

    @Option(
            names = "--cuda",
            paramLabel = "FOLDER",
            description =
                    "CUDA's headers (default: CUDA_HOME, /usr/local/cuda, or the wheels of a Python environment).")
    private @Nullable Path cuda;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings, one a line: KEY VALUE.")
    private @Nullable Path config;

    @Option(
            names = "--arch",
            paramLabel = "sm_90",
            description = "The architecture of __CUDA_ARCH__, for which NVRTC tries the device code.")
    private @Nullable String architecture;

    @Option(
            names = "--clang",
            paramLabel = "FILE",
            description = "The clang that reads headers (default: CLANG or PATH).")
    private @Nullable String clang;

    @Option(names = "--files", paramLabel = "NAMES", description = "Included files whose declarations are wanted, too.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--include", paramLabel = "NAMES", description = "Names that are wanted (default: all).")
    private List<String> wanted = new ArrayList<>();

    @Option(names = "--exclude", paramLabel = "NAMES", description = "Names that are not wanted.")
    private List<String> unwanted = new ArrayList<>();

    @Option(names = "--strip", paramLabel = "PREFIX", description = "What Java names lack at their start.")
    private List<String> strip = new ArrayList<>();

    @Option(names = "--name", paramLabel = "C++=JAVA", description = "A Java name.")
    private List<String> names = new ArrayList<>();

    @Option(names = "--define", paramLabel = "NAME=VALUE", description = "A macro.")
    private List<String> defines = new ArrayList<>();

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description = "One more type that templates are instantiated with, besides int, long long, float, double.")
    private List<String> types = new ArrayList<>();

    @Option(
            names = "--instantiate",
            paramLabel = "TEMPLATE",
            description = "A template of functions or classes with its arguments, such as 'clamp<float>'.")
    private List<String> instantiations = new ArrayList<>();

    @Option(
            names = "--intent",
            paramLabel = "F.P=INTENT",
            description = "A pointer or reference parameter is in, inout (default) or return: 'modf.rest = return'.")
    private List<String> intents = new ArrayList<>();

    @Option(names = "--opaque", paramLabel = "NAMES", description = "Structs that only pointers go to.")
    private List<String> opaque = new ArrayList<>();

    @Option(
            names = "--convergent",
            paramLabel = "NAMES",
            description = "Functions to which the threads of a warp or block come together.")
    private List<String> convergent = new ArrayList<>();

    @Option(names = "--pure", paramLabel = "NAMES", description = "Functions that only compute their results.")
    private List<String> pure = new ArrayList<>();

    @Option(names = "--std", paramLabel = "c++20", description = "The version of C++ (default: c++17).")
    private @Nullable String standard;

    @Option(names = "--nvrtc", paramLabel = "OPTION", description = "An option of NVRTC, such as --device-int128.")
    private List<String> nvrtc = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter standardOut = command.commandLine().getOut();
        DeviceConfig settings = new DeviceConfig();
        List<Path> folders = new ArrayList<>(includes);
        try {
            for (Path include : includes) {
                if (!Files.isDirectory(include)) {
                    throw new IllegalArgumentException("-I " + include + ": there is no such folder");
                }
            }
            if (config != null) {
                if (!Files.isRegularFile(config)) {
                    throw new IllegalArgumentException("--config " + config + ": there is no such file");
                }
                settings.read(config);
            }
            set(settings);
            folders.addAll(CudaHeaders.find(cuda, includes));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
        Binder.Written written = Binder.write(settings, folders, out, resources == null ? out : resources);
        standardOut.println(written.java() + ": " + written.functions() + " functions; left out " + written.missing()
                + ", see " + written.leftOut());
        String problem = Nvrtc.problem();
        if (problem != null) {
            command.commandLine()
                    .getErr()
                    .println("comm4j: the device code was not compiled, so that faults show with the first kernel: "
                            + problem.lines().findFirst().orElse("no NVRTC"));
        }
        return 0;
    }

    private void set(DeviceConfig settings) {
        headers.forEach(each -> settings.set("header", each));
        one(settings, "class", className);
        one(settings, "arch", architecture);
        one(settings, "clang", clang);
        one(settings, "std", standard);
        files.forEach(each -> settings.set("files", each));
        wanted.forEach(each -> settings.set("include", each));
        unwanted.forEach(each -> settings.set("exclude", each));
        strip.forEach(each -> settings.set("strip", each));
        names.forEach(each -> settings.set("name", each));
        defines.forEach(each -> settings.set("define", each));
        types.forEach(each -> settings.set("type", each));
        instantiations.forEach(each -> settings.set("instantiate", each));
        intents.forEach(each -> settings.set("intent", each));
        opaque.forEach(each -> settings.set("opaque", each));
        convergent.forEach(each -> settings.set("convergent", each));
        pure.forEach(each -> settings.set("pure", each));
        nvrtc.forEach(each -> settings.set("nvrtc", each));
    }

    private static void one(DeviceConfig settings, String key, @Nullable String value) {
        if (value != null) {
            settings.set(key, value);
        }
    }
}
