// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.bindgen.DeviceHeader.Enumeration;
import org.comm4j.bindgen.DeviceHeader.LeftOut;
import org.comm4j.bindgen.DeviceType.Enumerated;
import org.comm4j.bindgen.DeviceType.Field;
import org.comm4j.bindgen.DeviceType.Reference;
import org.comm4j.bindgen.DeviceType.Struct;
import org.comm4j.bindgen.DeviceType.Structure;
import org.comm4j.test.Natives;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code device}: a CUDA header in, a Java class of its device functions and the device code behind it out.
 */
final class DeviceCommand {
    static final String USAGE = """
            usage: bindgen device HEADER... --class PACKAGE.CLASS [OPTION...]

              --class NAME         the Java class to write
              --out FOLDER         where sources go (default: .)
              --resources FOLDER   where the device code and the list of what was left out go (default: --out)
              -I FOLDER            a folder of headers; may be repeated
              --cuda FOLDER        CUDA's headers (default: CUDA_HOME, /usr/local/cuda, or what dev/natives has fetched)
              --config FILE        settings, one a line: KEY VALUE
              --arch sm_90         the architecture of __CUDA_ARCH__, for which NVRTC tries the device code

            Settings, here as --KEY VALUE:
              header FILE                       another header, as in #include
              files 'curand_.*\\.h'              included files whose declarations are wanted, too
              include 'curand_.*'               names that are wanted (default: all)
              exclude '.*_v2'                   names that are not
              strip curand_                     what Java names lack at their start
              name 'curand_init = start'        a Java name
              define NAME=1                     a macro
              instantiate 'clamp<float>'        a template of functions or classes
              intent 'modf.rest = return'       a pointer or reference parameter: in, inout (default) or return
              opaque State                      a struct that only pointers go to
              convergent '.*_sync'              functions to which the threads of a warp or block come together
              pure fabs                         functions that only compute their results
              std c++20                         the version of C++ (default: c++17)
              nvrtc --device-int128             an option of NVRTC

            Names and files are regular expressions; names match with their namespaces or without.
            """;

    /** What was made. */
    record Output(String java, String shim, String leftOut, List<DeviceBinding> bindings, List<LeftOut> reasons) {}

    /** The wheel with cuRAND, whose headers are not among those of the run-time library. */
    private static final String CURAND = "nvidia-curand";

    private DeviceCommand() {}

    /** Runs the command; the result is the exit status of the process. */
    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            execute(arguments, out);
            return 0;
        } catch (IllegalArgumentException e) {
            err.println("bindgen: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            err.println("bindgen: " + e.getMessage());
            return 1;
        }
    }

    private static void execute(List<String> arguments, PrintStream out) throws IOException {
        DeviceConfig config = new DeviceConfig();
        List<Path> includes = new ArrayList<>();
        Path sources = Path.of(".");
        Path resources = null;
        Path cuda = null;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--help") || argument.equals("-h")) {
                out.print(USAGE);
                return;
            }
            if (!argument.startsWith("-")) {
                config.headers.add(argument);
                continue;
            }
            if (argument.startsWith("-I") && argument.length() > 2) {
                includes.add(folder("-I", argument.substring(2)));
                continue;
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(argument + " needs a value\n" + USAGE);
            }
            String value = arguments.get(++i);
            switch (argument) {
                case "-I" -> includes.add(folder("-I", value));
                case "--cuda" -> cuda = folder("--cuda", value);
                case "--arch" -> {
                    if (!value.matches("sm_\\d+[af]?")) {
                        throw new IllegalArgumentException(
                                "--arch " + value + ": sm_80, sm_90 and sm_100 are examples");
                    }
                    config.architecture = value;
                }
                case "--out" -> sources = Path.of(value);
                case "--resources" -> resources = Path.of(value);
                case "--config" -> {
                    if (!Files.isRegularFile(Path.of(value))) {
                        throw new IllegalArgumentException("--config " + value + ": there is no such file");
                    }
                    config.read(Path.of(value));
                }
                default -> {
                    if (!argument.startsWith("--")) {
                        throw new IllegalArgumentException("there is no option " + argument + "\n" + USAGE);
                    }
                    config.set(argument.substring(2), value);
                }
            }
        }
        if (config.headers.isEmpty() || config.className.isEmpty()) {
            throw new IllegalArgumentException(
                    (config.headers.isEmpty() ? "no header is given" : "--class is missing") + "\n" + USAGE);
        }
        includes.addAll(cuda(cuda));
        Natives.use();
        Output output = generate(config, includes);
        String path = config.className.replace('.', '/');
        Path java = sources.resolve(path + ".java");
        Path beside = (resources == null ? sources : resources).resolve(path);
        Files.createDirectories(java.toAbsolutePath().getParent());
        Files.createDirectories(beside.toAbsolutePath().getParent());
        Files.writeString(java, output.java());
        Files.writeString(beside.resolveSibling(beside.getFileName() + ".cu"), output.shim());
        Path list = beside.resolveSibling(beside.getFileName() + ".left-out.txt");
        Files.writeString(list, output.leftOut());
        out.println(java + ": " + output.bindings().size() + " functions; left out "
                + output.reasons().size() + ", see " + list);
    }

    private static Path folder(String option, String name) {
        Path folder = Path.of(name);
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(option + " " + name + ": there is no such folder");
        }
        return folder;
    }

    /** The folders of CUDA's headers. */
    static List<Path> cuda(@Nullable Path given) {
        List<Path> looked = new ArrayList<>();
        List<Path> candidates = new ArrayList<>();
        if (given != null) {
            candidates.add(given);
        } else {
            String home = System.getenv().getOrDefault("CUDA_HOME", "");
            if (!home.isEmpty()) {
                candidates.add(Path.of(home));
            }
            candidates.add(Path.of("/usr/local/cuda"));
        }
        for (Path candidate : candidates) {
            for (Path folder : List.of(candidate.resolve("include"), candidate)) {
                looked.add(folder);
                if (Files.isRegularFile(folder.resolve("cuda_runtime.h"))) {
                    return Files.isDirectory(folder.resolve("cccl"))
                            ? List.of(folder, folder.resolve("cccl"))
                            : List.of(folder);
                }
            }
        }
        List<Path> wheels = Stream.of("nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cccl")
                .flatMap(wheel -> Natives.find(wheel).stream())
                .map(wheel -> wheel.resolve("nvidia/cu13/include"))
                .toList();
        if (given == null && wheels.size() == 3) {
            List<Path> folders = new ArrayList<>(wheels);
            folders.add(wheels.getLast().resolve("cccl"));
            Natives.find(CURAND).ifPresent(wheel -> folders.add(wheel.resolve("nvidia/cu13/include")));
            return folders;
        }
        looked.add(Natives.root());
        throw new IllegalArgumentException("no headers of CUDA (cuda_runtime.h); looked in "
                + looked.stream().map(Path::toString).collect(Collectors.joining(", "))
                + "; --cuda says where they are");
    }

    private static Path find(String header, List<Path> includes) {
        Path direct = Path.of(header);
        if (Files.isRegularFile(direct)) {
            return direct.toAbsolutePath().normalize();
        }
        for (Path include : includes) {
            if (Files.isRegularFile(include.resolve(header))) {
                return include.resolve(header).toAbsolutePath().normalize();
            }
        }
        throw new IllegalArgumentException("there is no header " + header + " here nor in "
                + includes.stream().map(Path::toString).collect(Collectors.joining(", ")) + "; -I names more folders"
                + (header.startsWith("curand")
                        ? "; cuRAND's come with a CUDA toolkit, with dev/natives, or with \"pip install " + CURAND
                                + "\", in site-packages/nvidia/cu13/include"
                        : ""));
    }

    /**
     * The class and what belongs to it.
     *
     * @throws IllegalArgumentException if a header is missing or wrong, or has nothing that is wanted
     */
    static Output generate(DeviceConfig config, List<Path> includes) throws IOException {
        List<Path> files = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        if (includes.stream().anyMatch(include -> Files.isRegularFile(include.resolve("cuda_runtime.h")))) {
            // As nvcc does before anything else.
            text.append("#include <cuda_runtime.h>\n");
        }
        for (int i = 0; i < config.headers.size(); i++) {
            Path file = find(config.headers.get(i), includes);
            files.add(file);
            text.append("#include \"").append(file).append("\"\n");
            if (Files.isRegularFile(Path.of(config.headers.get(i)))) {
                config.headers.set(i, String.valueOf(file.getFileName()));
            }
        }
        CudaSource source = new CudaSource(includes, config.defines, config.architecture, config.standard);
        DeviceHeader header = new DeviceHeader(config, source, text.toString(), files);
        DeviceTypes types = new DeviceTypes(config, source, text.toString(), header);
        Map<DeviceHeader.Callable, DeviceTypes.Signature> signatures = types.signatures(header.callables);
        Map<String, String> macros = source.macros(text.toString(), header::isKept);
        Map<String, DeviceTypes.Constant> constants = types.constants(macros);
        DeviceNames names = new DeviceNames(config);
        List<DeviceBinding> bindings = DeviceBinding.plan(config, names, signatures, types.structs(), header.leftOut);
        Set<Struct> structs = new LinkedHashSet<>();
        Map<String, Enumeration> enums = new LinkedHashMap<>();
        header.enums.forEach((name, enumeration) -> {
            if (enumeration.kept() && config.isWanted(name)) {
                enums.put(name, enumeration);
            }
        });
        types.structs().values().stream()
                .filter(struct -> struct.aggregate().kept() && config.isWanted(struct.cpp()) && struct.bytes() > 0)
                .forEach(struct -> add(new Structure(struct), structs, enums));
        for (DeviceBinding binding : bindings) {
            binding.arguments().forEach(argument -> add(argument.value(), structs, enums));
            binding.results().forEach(result -> add(result.value(), structs, enums));
        }
        if (bindings.isEmpty() && structs.isEmpty() && enums.isEmpty() && constants.isEmpty()) {
            throw new IllegalArgumentException(nothing(config, header));
        }
        String provenance = provenance(config, header.keptFiles());
        List<Path> folders = new ArrayList<>(includes);
        files.forEach(file -> folders.add(file.getParent()));
        NvrtcCheck check = new NvrtcCheck(config, provenance, structs, enums.values(), folders, header.leftOut);
        boolean any = !bindings.isEmpty();
        bindings = check.accepted(bindings);
        structs.retainAll(check.structs());
        if (any && bindings.isEmpty()) {
            throw new IllegalArgumentException(nothing(config, header));
        }
        String java = formatted(
                new DeviceClass(config, names).write(provenance, constants, structs, enums.values(), bindings));
        String shim = DeviceShim.write(config, provenance, bindings, structs, enums.values());
        return new Output(java, shim, leftOut(provenance, header.leftOut), bindings, header.leftOut);
    }

    private static void add(DeviceType type, Set<Struct> structs, Map<String, Enumeration> enums) {
        switch (type) {
            case Structure structure -> {
                // Those within come first.
                structure.of().fields().stream().map(Field::type).forEach(field -> {
                    if (!(field instanceof Enumerated)) {
                        add(field, structs, enums);
                    }
                });
                structs.add(structure.of());
            }
            case Enumerated enumerated -> enums.put(enumerated.of().name(), enumerated.of());
            case Reference reference
            when reference.target() instanceof Structure structure -> add(structure, structs, enums);
            default -> {}
        }
    }

    private static String nothing(DeviceConfig config, DeviceHeader header) {
        List<String> errors = header.errorsElsewhere();
        return "nothing in " + String.join(", ", config.headers) + " is wanted and can be called"
                + (config.include.isEmpty() ? "" : "; wanted are " + config.include)
                + header.leftOut.stream()
                        .limit(10)
                        .map(each -> "\n  " + each.what() + ": " + each.reason())
                        .collect(Collectors.joining())
                + errors.stream().limit(3).map(each -> "\n  clang: " + each).collect(Collectors.joining())
                + "\nonly declarations of the headers themselves are looked at; --files 'name.*\\.h' takes those of included files, too";
    }

    private static String provenance(DeviceConfig config, Set<String> files) throws IOException {
        StringBuilder text = new StringBuilder("Generated by comm4j-bindgen device; do not edit. From\n");
        for (String file : files) {
            if (Files.isRegularFile(Path.of(file))) {
                text.append("  ")
                        .append(Path.of(file).getFileName())
                        .append(", SHA-256 ")
                        .append(hash(Path.of(file)))
                        .append('\n');
            }
        }
        config.instantiations.forEach(
                each -> text.append("  instantiated: ").append(each).append('\n'));
        config.defines.forEach(each -> text.append("  defined: ").append(each).append('\n'));
        return text.append("by ").append(CudaSource.clangVersion()).append('\n').toString();
    }

    private static String hash(Path file) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String leftOut(String provenance, List<LeftOut> reasons) {
        StringBuilder text = new StringBuilder();
        provenance.lines().forEach(line -> text.append("# ").append(line).append('\n'));
        reasons.forEach(each -> text.append(each.what())
                .append(" (")
                .append(each.place())
                .append("): ")
                .append(each.reason())
                .append('\n'));
        return text.toString();
    }

    private static String formatted(String java) {
        try {
            return Formatter.createFormatter(JavaFormatterOptions.builder()
                            .style(JavaFormatterOptions.Style.PALANTIR)
                            .formatJavadoc(false)
                            .build())
                    .formatSource(java);
        } catch (FormatterException e) {
            throw new IllegalStateException("the generated Java is wrong: " + e.getMessage() + "\n" + java, e);
        }
    }
}
