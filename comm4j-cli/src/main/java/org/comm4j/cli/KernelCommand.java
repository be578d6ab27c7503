// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.KernelAttributes;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comm4j kernel}: what the compiler makes of a kernel, stage by stage; needs no GPU. */
@Command(
        name = "kernel",
        description = {
            "Compile a kernel for an architecture, and print what a stage of the compiler makes of it; needs no GPU.",
            "Without --print it says what the kernel uses: registers, shared and local memory."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:It was compiled.",
            "1:It cannot be compiled, or something that this takes is missing.",
            "2:The command line is wrong."
        },
        mixinStandardHelpOptions = true)
final class KernelCommand implements Callable<Integer> {
    /** What can be printed, as the option has it. */
    enum Stage {
        ir,
        nvvm,
        ptx,
        sass
    }

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "CLASS::METHOD",
            description = "The kernel: com.example.Jacobi::step; with overloads step(F32Ptr,int).")
    private String kernel = "";

    @Parameters(
            index = "1..*",
            paramLabel = "CONSTANT",
            description = "Values of the parameters that are marked @Constant, in their order.")
    private List<String> constants = List.of();

    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            description = "Folders and jars with the classes; '.' by default.")
    private String classPath = ".";

    @Option(names = "--print", paramLabel = "STAGE", description = "One of ${COMPLETION-CANDIDATES}.")
    private @Nullable Stage print;

    @Option(
            names = "--arch",
            paramLabel = "ARCH",
            description = "Architecture to compile for, such as sm_100a; ${DEFAULT-VALUE} by default.")
    private String arch = "sm_90";

    @Option(
            names = "--unit",
            paramLabel = "[NAME=]FILE",
            description = {
                "Device code that the kernel calls: CUDA C++ (.cu), PTX (.ptx) or LTO-IR (.ltoir); several times for"
                        + " several.",
                "NAME is the unit that the kernel's declarations name; without it that whose name ends like the file's."
            })
    private List<String> units = List.of();

    @Option(
            names = "-I",
            paramLabel = "FOLDER",
            description = "Folder of headers for device code in CUDA C++; may be repeated.")
    private List<Path> includes = List.of();

    @Option(names = "--checked", description = "With checks of indices and divisions, and asserts.")
    private boolean checked;

    @Option(names = "--no-lines", description = "Without Java's line numbers.")
    private boolean noLines;

    @Option(names = "--no-cache", description = "Compile anew even if the cache has it.")
    private boolean noCache;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write the machine code (cubin) to a file.")
    private @Nullable Path output;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = command().commandLine().getOut();
        CudaArch target;
        try {
            target = CudaArch.parse(arch);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        String[] parts = kernel.split("::", -1);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw wrong("'" + kernel + "' is no kernel; write it as CLASS::METHOD");
        }
        try (URLClassLoader loader = new URLClassLoader(urls(), KernelCommand.class.getClassLoader())) {
            Method method = KernelMethod.named(type(loader, parts[0]), parts[1]);
            CompileOptions options =
                    new CompileOptions(checked, !noLines, 0, target.suffix(), !noCache, List.of(), Kernel.Math.CUDA);
            Object[] values = values(method);
            KernelCode code = KernelCode.compile(method, target, options, values);
            if (!units.isEmpty()) {
                for (DeviceUnit unit : units(code)) {
                    options = options.with(unit);
                }
                code = KernelCode.compile(method, target, options, values);
            }
            if (output != null) {
                Files.write(output, code.cubin());
            }
            if (print == null) {
                KernelAttributes uses = code.attributes();
                out.println(code.name() + " for " + code.arch() + ": " + uses.registers() + " registers, "
                        + uses.sharedBytes() + " bytes of shared memory, " + uses.localBytes()
                        + " bytes of local memory, blocks of up to " + uses.maxThreads() + " threads");
                code.unions()
                        .forEach((name, bytes) -> out.println("a value of " + name + " is one of several records: "
                                + bytes + " bytes, of which 8 say which it is"));
            } else {
                String text = switch (print) {
                    case ir -> code.ir();
                    case nvvm -> code.nvvm();
                    case ptx -> code.ptx();
                    case sass -> code.sass();
                };
                out.println(text.stripTrailing());
            }
        }
        return 0;
    }

    private CommandSpec command() {
        return Objects.requireNonNull(spec);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command().commandLine(), message);
    }

    private URL[] urls() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry.isEmpty() ? "." : entry);
            if (!Files.exists(path)) {
                throw wrong("there is no " + path + " of the class path");
            }
            urls.add(path.toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    private List<DeviceUnit> units(KernelCode code) throws IOException {
        List<DeviceUnit> given = new ArrayList<>();
        for (String words : units) {
            int equals = words.indexOf('=');
            Path file = Path.of(words.substring(equals + 1));
            if (!Files.isRegularFile(file)) {
                throw wrong("there is no file " + file + " for --unit");
            }
            String[] parts = file.getFileName().toString().split("\\.", 2);
            String name = equals >= 0 ? words.substring(0, equals) : name(parts[0], code);
            if (!code.units().contains(name)) {
                throw wrong("kernel " + kernel + " calls nothing of a device unit " + name
                        + (code.units().isEmpty() ? "" : "; it does of " + String.join(", ", code.units())));
            }
            DeviceUnit unit = switch (parts.length == 2 ? parts[1] : "") {
                case "ptx" -> DeviceUnit.ptx(name, Files.readString(file));
                case "ltoir" -> DeviceUnit.ltoIr(name, Files.readAllBytes(file));
                default -> DeviceUnit.source(name, Files.readString(file));
            };
            for (Path folder : includes) {
                if (!Files.isDirectory(folder)) {
                    throw wrong("there is no folder " + folder + " for -I");
                }
                unit = unit.include(folder);
            }
            given.add(unit);
        }
        return given;
    }

    /**
     * The kernel's unit that a file without a name is: declarations of a generated class name it with their package.
     */
    private static String name(String file, KernelCode code) {
        return code.units().stream()
                .filter(unit -> unit.equals(file) || unit.endsWith("." + file))
                .findFirst()
                .orElse(file);
    }

    /** Nested classes may be written with dots. */
    private static Class<?> type(ClassLoader loader, String name) {
        String candidate = name;
        while (true) {
            try {
                return Class.forName(candidate, false, loader);
            } catch (ClassNotFoundException e) {
                int dot = candidate.lastIndexOf('.');
                if (dot < 0) {
                    throw new IllegalArgumentException(
                            "there is no class " + name + " on the class path; -cp says where it is", e);
                }
                candidate = candidate.substring(0, dot) + "$" + candidate.substring(dot + 1);
            }
        }
    }

    private Object[] values(Method method) {
        List<Object> values = new ArrayList<>();
        List<Parameter> marked = Arrays.stream(method.getParameters())
                .filter(parameter -> parameter.isAnnotationPresent(Constant.class))
                .toList();
        if (marked.size() != constants.size()) {
            throw wrong("kernel " + kernel + " has " + marked.size() + " parameters that are marked @Constant, but "
                    + constants.size() + " values are given");
        }
        for (int i = 0; i < marked.size(); i++) {
            values.add(value(marked.get(i).getType(), constants.get(i)));
        }
        return values.toArray();
    }

    private Object value(Class<?> type, String text) {
        try {
            return switch (type.getName()) {
                case "boolean" -> Boolean.parseBoolean(text);
                case "byte" -> Byte.decode(text);
                case "short" -> Short.decode(text);
                case "char" -> (char) (int) Integer.decode(text);
                case "int" -> Integer.decode(text);
                case "long" -> Long.decode(text);
                case "float" -> Float.parseFloat(text);
                case "double" -> Double.parseDouble(text);
                default -> {
                    for (Object constant :
                            type.isEnum() ? Objects.requireNonNull(type.getEnumConstants()) : new Object[0]) {
                        if (((Enum<?>) constant).name().equals(text)) {
                            yield constant;
                        }
                    }
                    throw wrong("'" + text + "' is no " + type.getSimpleName());
                }
            };
        } catch (NumberFormatException e) {
            throw wrong("'" + text + "' is no " + type.getSimpleName());
        }
    }
}
