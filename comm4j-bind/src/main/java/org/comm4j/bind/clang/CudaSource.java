// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind.clang;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A piece of CUDA C++, seen by {@linkplain Clang clang} as device code. It needs CUDA's headers, no installation
 * of CUDA. Clang does not know all that NVIDIA's compilers have built in, so bodies of functions hold errors for it;
 * declarations are what it is asked about.
 */
public final class CudaSource {
    private static final Set<String> KINDS = Set.of(
            "TranslationUnitDecl",
            "NamespaceDecl",
            "LinkageSpecDecl",
            "FunctionDecl",
            "CXXMethodDecl",
            "CXXConstructorDecl",
            "CXXConversionDecl",
            "ParmVarDecl",
            "CXXRecordDecl",
            "ClassTemplateDecl",
            "ClassTemplateSpecializationDecl",
            "FunctionTemplateDecl",
            "TemplateArgument",
            "TemplateTypeParmDecl",
            "NonTypeTemplateParmDecl",
            "TemplateTemplateParmDecl",
            "FieldDecl",
            "AccessSpecDecl",
            "EnumDecl",
            "EnumConstantDecl",
            "ImplicitCastExpr",
            "ConstantExpr",
            "TypedefDecl",
            "TypeAliasDecl",
            "ElaboratedType",
            "RecordType",
            "EnumType",
            "VarDecl",
            "CompoundStmt",
            "CUDADeviceAttr",
            "CUDAHostAttr",
            "CUDAGlobalAttr",
            "CUDAConstantAttr",
            "FriendDecl",
            "FullComment",
            "ParagraphComment",
            "TextComment",
            "InlineCommandComment",
            "BlockCommandComment",
            "ParamCommandComment");
    private static final Pattern ERROR = Pattern.compile("(.+?):(\\d+):(\\d+): ((?:fatal )?error): (.*)");

    /** A line of a file. */
    public record Place(String file, int line) {
        @Override
        public String toString() {
            return Path.of(file).getFileName() + ":" + line;
        }
    }

    /** An error in clang's words. */
    public record Problem(Place place, String message, boolean fatal) {
        @Override
        public String toString() {
            return place.file() + ":" + place.line() + ": " + message;
        }
    }

    /** The whole, with its macros replaced. */
    public record Tree(Node root, TreeMap<Integer, Place> markers, String text, List<Problem> problems) {
        /** Where a declaration or a character is. */
        public Place place(int offset) {
            Map.Entry<Integer, Place> marker = markers.floorEntry(offset);
            if (marker == null) {
                return new Place("<command line>", 0);
            }
            int line = marker.getValue().line();
            for (int i = marker.getKey(); i < offset && i < text.length(); i++) {
                line += text.charAt(i) == '\n' ? 1 : 0;
            }
            return new Place(marker.getValue().file(), line);
        }
    }

    private final List<String> options = new ArrayList<>();
    private final String clang;

    public CudaSource(List<Path> includes, List<String> defines) {
        this(Clang.command(), includes, defines, "sm_80", "c++17");
    }

    /** @param architecture that macros are evaluated for; a clang that is older than it parses for another one */
    public CudaSource(String clang, List<Path> includes, List<String> defines, String architecture, String standard) {
        this.clang = clang;
        String number = architecture.replaceAll("\\D", "") + "0";
        // What nvcc defines; clang's own wrapper around CUDA's headers, which would define it, needs an installation of
        // a known version.
        options.addAll(List.of(
                "-x",
                "cuda",
                "--cuda-device-only",
                "-nocudainc",
                "-nocudalib",
                "--cuda-gpu-arch=sm_80",
                "-std=" + standard));
        options.addAll(List.of("-U__CUDA_ARCH__", "-D__CUDA_ARCH__=" + number, "-D__CUDA_ARCH_LIST__=" + number));
        options.addAll(List.of("-D__CUDACC__", "-w", "-ferror-limit=0", "-fparse-all-comments"));
        options.addAll(List.of("-Xclang", "-fno-access-control", "-Xclang", "-fcuda-allow-variadic-functions"));
        defines.forEach(define -> options.add("-D" + define));
        includes.forEach(folder -> options.add("-I" + folder));
    }

    /** Returns what a clang calls itself, {@code clang version 14.0.6}. */
    public static String version(String clang) throws IOException {
        Run run = run(List.of(clang, "--version"), BufferedReader::readLine);
        return run.result() == null
                ? "clang"
                : String.valueOf(run.result()).replaceAll(".*(clang version [\\d.]+).*", "$1");
    }

    /**
     * Returns the syntax tree of a text.
     *
     * @param commented says of which files the comments are wanted
     * @throws IllegalArgumentException if a header is missing
     */
    public Tree tree(String text, Predicate<String> commented) throws IOException {
        Run preprocessed = on(text, List.of("-E"), CudaSource::all);
        String flat = Comments.into(String.valueOf(preprocessed.result()), commented);
        problems(preprocessed.errors()).stream()
                .filter(Problem::fatal)
                .findFirst()
                .ifPresent(problem -> {
                    throw new IllegalArgumentException(problem.toString());
                });
        TreeMap<Integer, Place> markers = new TreeMap<>();
        int at = 0;
        // Offsets are clang's, in bytes: the text is read as one byte for each character.
        for (String line : flat.split("(?<=\n)")) {
            at += line.length();
            if (line.startsWith("# ")) {
                Matcher marker = Comments.MARKER.matcher(line.strip());
                if (marker.matches()) {
                    markers.put(at, new Place(marker.group(2), Integer.parseInt(marker.group(1))));
                }
            }
        }
        Run parsed = on(
                flat, List.of("-fsyntax-only", "-Xclang", "-ast-dump=json"), reader -> new Json(reader, KINDS).read());
        if (parsed.result() == null) {
            throw new IOException("clang printed no syntax tree: " + parsed.errors());
        }
        return new Tree(Node.of(parsed.result()), markers, flat, problems(parsed.errors()));
    }

    /** Declarations whose names have this part, which a text and its headers make. */
    public List<Node> named(String part, String text) throws IOException {
        Run run = on(
                text,
                List.of("-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter=" + part),
                reader -> {
                    List<Node> found = new ArrayList<>();
                    Json json = new Json(reader, KINDS);
                    for (Object each = json.read(); each != null; each = json.read()) {
                        found.add(Node.of(each));
                    }
                    return found;
                });
        return run.result() instanceof List<?> list
                ? list.stream().map(Node.class::cast).toList()
                : List.of();
    }

    /** Object-like macros with what they stand for, of files of which the path passes the test. */
    public Map<String, String> macros(String text, Predicate<String> file) throws IOException {
        Map<String, String> macros = new LinkedHashMap<>();
        on(text, List.of("-E", "-dD"), reader -> {
            boolean wanted = false;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                Matcher marker = Comments.MARKER.matcher(line);
                if (marker.matches()) {
                    wanted = file.test(marker.group(2));
                } else if (line.startsWith("#undef ")) {
                    macros.remove(line.substring(7).strip());
                } else if (wanted && line.startsWith("#define ")) {
                    String[] words = line.split(" ", 3);
                    if (words.length == 3 && !words[1].contains("(") && !words[2].isBlank()) {
                        macros.put(words[1], words[2].strip());
                    }
                }
            }
            return macros;
        });
        return macros;
    }

    private static String all(BufferedReader reader) throws IOException {
        StringBuilder text = new StringBuilder();
        char[] buffer = new char[1 << 16];
        for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
            text.append(buffer, 0, n);
        }
        return text.toString();
    }

    private static List<Problem> problems(String errors) {
        return errors.lines()
                .map(ERROR::matcher)
                .filter(Matcher::matches)
                .map(m -> new Problem(
                        new Place(m.group(1), Integer.parseInt(m.group(2))),
                        m.group(4) + ": " + m.group(5),
                        m.group(4).startsWith("fatal")))
                .toList();
    }

    private interface Reading {
        @Nullable
        Object from(BufferedReader reader) throws IOException;
    }

    private record Run(@Nullable Object result, String errors) {}

    private Run on(String text, List<String> more, Reading reading) throws IOException {
        Path source = Files.createTempFile("comm4j", ".cu");
        try {
            Files.writeString(source, text, StandardCharsets.ISO_8859_1);
            List<String> command = new ArrayList<>(List.of(clang));
            command.addAll(options);
            command.addAll(more);
            command.add(source.toString());
            return run(command, reading);
        } finally {
            Files.delete(source);
        }
    }

    private static Run run(List<String> command, Reading reading) throws IOException {
        Path errors = Files.createTempFile("comm4j", ".log");
        try {
            Process process;
            try {
                process = new ProcessBuilder(command)
                        .redirectError(errors.toFile())
                        .start();
            } catch (IOException e) {
                throw new IOException(
                        "no clang on the PATH; install it (package clang), or name it in " + Clang.VARIABLE, e);
            }
            try (BufferedReader reader = process.inputReader(StandardCharsets.ISO_8859_1)) {
                Object result = reading.from(reader);
                return new Run(result, Files.readString(errors, StandardCharsets.UTF_8));
            }
        } finally {
            Files.delete(errors);
        }
    }
}
