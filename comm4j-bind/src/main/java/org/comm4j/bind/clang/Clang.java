// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind.clang;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Clang, wherever it is: syntax trees and macros of a piece of C or C++ text. */
public final class Clang {
    /** The variable of the environment that names the program. */
    public static final String VARIABLE = "CLANG";

    /** The kinds of nodes that {@link Headers} looks at; everything else is passed over. */
    private static final Set<String> KINDS = Set.of(
            "TranslationUnitDecl",
            "LinkageSpecDecl",
            "FunctionDecl",
            "ParmVarDecl",
            "RecordDecl",
            "CXXRecordDecl",
            "FieldDecl",
            "EnumDecl",
            "EnumConstantDecl",
            "ImplicitCastExpr",
            "ConstantExpr",
            "TypedefDecl",
            "PointerType",
            "ElaboratedType",
            "TypedefType",
            "RecordType",
            "EnumType",
            "CompoundStmt",
            "FullComment",
            "ParagraphComment",
            "TextComment");

    private final String language;
    private final List<Path> includes;

    public Clang(String language, List<Path> includes) {
        this.language = language;
        this.includes = includes;
    }

    public static boolean isPresent() {
        return Files.isExecutable(Path.of(command()));
    }

    /**
     * Returns clang's file: what the variable {@code CLANG} names, else {@code clang} on the {@code PATH}, else the
     * newest {@code clang-NN} there, as distributions call it; {@code "clang"} if there is none.
     */
    public static String command() {
        String named = System.getenv().getOrDefault(VARIABLE, "");
        if (!named.isEmpty()) {
            return named.contains("/")
                    ? named
                    : find(named).stream().findFirst().orElse(named);
        }
        return Stream.of(find("clang"), find("clang-\\d+"))
                .flatMap(List::stream)
                .findFirst()
                .orElse("clang");
    }

    /** Returns all on the {@code PATH} that have their version in their name, the newest first. */
    public static List<String> versions() {
        return find("clang-\\d+");
    }

    /** Returns the programs on the {@code PATH} whose names match, the one with the highest version first. */
    private static List<String> find(String pattern) {
        List<String> found = new ArrayList<>();
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
            String[] names = folder.isEmpty() ? null : new File(folder).list((_, name) -> name.matches(pattern));
            for (String name : names == null ? new String[0] : names) {
                if (Files.isExecutable(Path.of(folder, name))) {
                    found.add(Path.of(folder, name).toString());
                }
            }
        }
        found.sort(Comparator.comparingInt(Clang::version).reversed());
        return found;
    }

    private static int version(String file) {
        String digits = file.substring(file.lastIndexOf('/') + 1).replaceAll("\\D", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    /** The syntax tree of a text. Errors in it are clang's to overcome: device code needs a compiler for GPUs. */
    public Node tree(String text) {
        return run(text, List.of("-fsyntax-only", "-fparse-all-comments", "-Xclang", "-ast-dump=json"), reader -> {
            Object tree = new Json(reader, KINDS).read();
            if (tree == null) {
                throw new IOException("clang printed no syntax tree");
            }
            return Node.of(tree);
        });
    }

    /** Object-like macros after a text, with what they stand for. */
    public Map<String, String> macros(String text) {
        return run(text, List.of("-dM", "-E"), reader -> {
            Map<String, String> macros = new LinkedHashMap<>();
            reader.lines().forEach(line -> {
                String[] words = line.split(" ", 3);
                if (words.length == 3 && words[0].equals("#define") && !words[1].contains("(")) {
                    macros.put(words[1], words[2].strip());
                }
            });
            return macros;
        });
    }

    private interface Reading<T> {
        T from(BufferedReader reader) throws IOException;
    }

    private <T> T run(String text, List<String> options, Reading<T> reading) {
        try {
            Path source = Files.createTempFile("comm4j", ".h");
            Path errors = Files.createTempFile("comm4j", ".log");
            try {
                Files.writeString(source, text);
                List<String> command = new ArrayList<>(List.of(command(), "-x", language, "-w", "-ferror-limit=0"));
                includes.forEach(folder -> command.add("-I" + folder));
                command.addAll(options);
                command.add(source.toString());
                Process process = new ProcessBuilder(command)
                        .redirectError(errors.toFile())
                        .start();
                try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
                    return reading.from(reader);
                } catch (IOException e) {
                    throw new IOException(String.join(" ", command) + ": " + Files.readString(errors), e);
                }
            } finally {
                Files.delete(source);
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
