// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.io.IOException;
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
import org.comm4j.bind.DeviceHeader.Enumeration;
import org.comm4j.bind.DeviceHeader.LeftOut;
import org.comm4j.bind.DeviceType.Enumerated;
import org.comm4j.bind.DeviceType.Field;
import org.comm4j.bind.DeviceType.Reference;
import org.comm4j.bind.DeviceType.Struct;
import org.comm4j.bind.DeviceType.Structure;
import org.comm4j.bind.clang.Clang;
import org.comm4j.bind.clang.CudaSource;
import org.jspecify.annotations.Nullable;

/**
 * Generator of a Java class of the device functions in a CUDA header, and of the device code behind it.
 *
 * <p>It reads the header with clang and tries the wrappers with NVRTC, where that is found.
 */
public final class Binder {
    private static final String CURAND = "nvidia-curand";

    /** What was made. */
    record Output(String java, String shim, String leftOut, List<DeviceBinding> bindings, List<LeftOut> reasons) {}

    /**
     * Files that were written.
     *
     * @param java the Java class
     * @param leftOut the list of what is not in it, each with its reason
     * @param functions the number of functions in the class
     * @param missing the number of entries of the list
     */
    public record Written(Path java, Path leftOut, int functions, int missing) {}

    private Binder() {}

    /** Returns clang's file, which headers are read with, or null if there is none. */
    public static @Nullable String clang() {
        return Clang.isPresent() ? Clang.command() : null;
    }

    /**
     * Writes the class, its device code {@code NAME.cu} and the list {@code NAME.left-out.txt} of what was left out.
     *
     * @param config the settings, with a class and at least one header
     * @param includes folders of headers, those of CUDA among them
     * @param sources the folder of Java sources; a folder for each part of the package is made in it
     * @param resources the folder of device code and list, laid out as that of the sources
     * @throws IllegalArgumentException if class or header are missing, or nothing in the header can be called
     * @throws IOException if clang is not found or a file cannot be written
     */
    public static Written write(DeviceConfig config, List<Path> includes, Path sources, Path resources)
            throws IOException {
        if (config.headers.isEmpty() || config.className.isEmpty()) {
            throw new IllegalArgumentException(
                    config.headers.isEmpty()
                            ? "no header is given"
                            : "--class is missing: the Java class to write, such as org.example.Curand");
        }
        Output output = generate(config, includes);
        String path = config.className.replace('.', '/');
        Path java = sources.resolve(path + ".java");
        Path beside = resources.resolve(path);
        Files.createDirectories(java.toAbsolutePath().getParent());
        Files.createDirectories(beside.toAbsolutePath().getParent());
        Files.writeString(java, output.java());
        Files.writeString(beside.resolveSibling(beside.getFileName() + ".cu"), output.shim());
        Path list = beside.resolveSibling(beside.getFileName() + ".left-out.txt");
        Files.writeString(list, output.leftOut());
        return new Written(
                java, list, output.bindings().size(), output.reasons().size());
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
                        ? "; cuRAND's come with a CUDA toolkit or with \"pip install " + CURAND
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
        CudaSource source =
                new CudaSource(config.clang(), includes, config.defines, config.architecture, config.standard);
        DeviceHeader header = DeviceHeader.read(config, source, text.toString(), files);
        Probe probe = new Probe(source, text.toString());
        DeviceTypes types = new DeviceTypes(config, header, probe);
        Map<DeviceHeader.Callable, DeviceTypes.Signature> signatures = types.signatures(header.callables);
        Map<String, String> macros = source.macros(text.toString(), header::isKept);
        Map<String, DeviceConstants.Constant> constants = new DeviceConstants(config, header, probe).of(macros);
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
            binding.values().forEach(value -> add(value.type(), structs, enums));
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
        String java = JavaLayout.of(
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
                + "\n"
                + "only declarations of the headers themselves are looked at; --files 'name.*\\.h' takes those of"
                + " included files, too";
    }

    private static String provenance(DeviceConfig config, Set<String> files) throws IOException {
        StringBuilder text = new StringBuilder("Generated by comm4j bind; do not edit. From\n");
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
        return text.append("by ")
                .append(CudaSource.version(config.clang()))
                .append('\n')
                .toString();
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
}
