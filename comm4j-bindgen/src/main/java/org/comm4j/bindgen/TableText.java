// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.comm4j.bindgen.SymbolTable.Constant;
import org.comm4j.bindgen.SymbolTable.Declaration;
import org.comm4j.bindgen.SymbolTable.Enumeration;
import org.comm4j.bindgen.SymbolTable.Family;
import org.comm4j.bindgen.SymbolTable.Function;
import org.comm4j.bindgen.SymbolTable.Handle;
import org.comm4j.bindgen.SymbolTable.Layout;
import org.comm4j.bindgen.SymbolTable.Struct;

/**
 * A symbol table as text: one line a thing, its parts indented below it, so that a new version shows as a readable
 * difference.
 */
final class TableText {
    private static final String INDENT = "    ";
    private static final String SINCE = " since ";

    private TableText() {}

    static String write(SymbolTable table) {
        StringBuilder out = new StringBuilder();
        out.append("# The C interface of ")
                .append(table.library())
                .append(", read from its headers by comm4j-bindgen.\n");
        out.append("library ").append(table.library()).append('\n');
        out.append("versions ").append(String.join(" ", table.versions())).append("\n\n");
        table.handles()
                .forEach(handle -> out.append("handle ").append(handle.name()).append('\n'));
        table.aliases().forEach((name, type) -> out.append("alias ").append(name + " = " + type + "\n"));
        table.callbacks().forEach((name, type) -> out.append("callback ").append(name + " = " + type + "\n"));
        for (Enumeration each : table.enums()) {
            out.append("\nenum ").append(each.name()).append('\n');
            each.constants().forEach(constant -> out.append(INDENT).append(text(constant)));
        }
        out.append('\n');
        table.constants().forEach(constant -> out.append("constant ").append(text(constant)));
        for (Struct struct : table.structs()) {
            out.append("\nstruct ").append(struct.name()).append('\n');
            for (Layout layout : struct.layouts()) {
                out.append(INDENT)
                        .append(layout.union() ? "union " : "layout ")
                        .append(layout.since())
                        .append('\n');
                layout.fields().forEach(field -> out.append(INDENT + INDENT + text(field) + "\n"));
            }
        }
        for (Function function : table.functions()) {
            out.append("\nfunction ").append(function.name());
            out.append(function.since().isEmpty() ? "" : SINCE + function.since())
                    .append('\n');
            if (!function.symbols().equals(List.of(function.name()))) {
                out.append(INDENT + "symbols " + String.join(" ", function.symbols()) + "\n");
            }
            out.append(INDENT).append(prototype(function)).append('\n');
            function.documentation().lines().forEach(line -> out.append(INDENT + "| " + line + "\n"));
        }
        out.append(table.elements().isEmpty() ? "" : "\n");
        table.elements().forEach((word, type) -> out.append("element ").append(word + " = " + type + "\n"));
        for (Family family : table.families()) {
            Function function = family.function();
            out.append("\nfamily ").append(function.name());
            out.append(function.since().isEmpty() ? "" : SINCE + function.since())
                    .append('\n');
            out.append(INDENT).append(prototype(function)).append('\n');
            out.append(INDENT + "members " + String.join(" ", family.members()) + "\n");
        }
        return out.toString();
    }

    private static String text(Constant constant) {
        return constant.name() + " = " + constant.value() + (constant.since().isEmpty() ? "" : SINCE + constant.since())
                + "\n";
    }

    private static String text(Declaration declaration) {
        return declaration.type() + " " + declaration.name();
    }

    /** {@code result name(type parameter, ...)} */
    static String prototype(Function function) {
        return function.result() + " " + function.name()
                + function.parameters().stream().map(TableText::text).collect(Collectors.joining(", ", "(", ")"));
    }

    /** @throws IllegalArgumentException if the text is no symbol table, with the line at fault */
    static SymbolTable read(String text) {
        List<Line> lines = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                lines.add(Line.of(number, line));
            }
        }
        SymbolTable table = new SymbolTable(
                lines.get(0).after("library "),
                List.of(lines.get(1).after("versions ").split(" ")));
        for (int i = 2; i < lines.size(); ) {
            Line head = lines.get(i++);
            List<Line> body = new ArrayList<>();
            while (i < lines.size() && lines.get(i).depth > 0) {
                body.add(lines.get(i++));
            }
            read(head, body, table);
        }
        return table;
    }

    private static void read(Line head, List<Line> body, SymbolTable table) {
        String[] words = head.text.split(" ", 2);
        String rest = words[1];
        switch (words[0]) {
            case "handle" -> table.handles().add(new Handle(rest));
            case "alias" -> table.aliases().put(left(rest), right(rest));
            case "callback" -> table.callbacks().put(left(rest), right(rest));
            case "constant" -> table.constants().add(constant(rest));
            case "enum" ->
                table.enums()
                        .add(new Enumeration(
                                rest,
                                body.stream().map(line -> constant(line.text)).toList()));
            case "struct" -> table.structs().add(new Struct(rest, layouts(body)));
            case "function" -> table.functions().add(function(rest, body));
            case "element" -> table.elements().put(left(rest), right(rest));
            case "family" ->
                table.families()
                        .add(new Family(
                                function(rest, body.subList(0, 1)),
                                List.of(body.getLast().after("members ").split(" "))));
            default -> throw head.wrong();
        }
    }

    private static String left(String equation) {
        return equation.substring(0, equation.indexOf(" = "));
    }

    private static String right(String equation) {
        return equation.substring(equation.indexOf(" = ") + 3);
    }

    private static Constant constant(String text) {
        String value = right(text);
        return new Constant(left(text), Long.parseLong(beforeSince(value)), since(value));
    }

    private static String since(String text) {
        int at = text.indexOf(SINCE);
        return at < 0 ? "" : text.substring(at + SINCE.length());
    }

    private static String beforeSince(String text) {
        int at = text.indexOf(SINCE);
        return at < 0 ? text : text.substring(0, at);
    }

    private static List<Layout> layouts(List<Line> body) {
        List<Layout> layouts = new ArrayList<>();
        for (Line line : body) {
            if (line.depth == 1) {
                String[] words = line.text.split(" ");
                layouts.add(new Layout(words[1], words[0].equals("union"), new ArrayList<>()));
            } else {
                layouts.getLast().fields().add(declaration(line.text));
            }
        }
        return layouts;
    }

    private static Declaration declaration(String text) {
        int space = text.lastIndexOf(' ');
        return new Declaration(text.substring(0, space), text.substring(space + 1));
    }

    private static Function function(String head, List<Line> body) {
        String name = beforeSince(head);
        List<String> symbols = List.of(name);
        Line prototype = body.getFirst();
        List<String> documentation = new ArrayList<>();
        for (Line line : body) {
            if (line.text.startsWith("symbols ")) {
                symbols = List.of(line.after("symbols ").split(" "));
            } else if (line.text.startsWith("|")) {
                documentation.add(line.text.substring(1).strip());
            } else {
                prototype = line;
            }
        }
        int open = prototype.text.indexOf(" " + name + "(");
        if (open < 0 || !prototype.text.endsWith(")")) {
            throw prototype.wrong();
        }
        return new Function(
                name,
                symbols,
                since(head),
                prototype.text.substring(0, open),
                parameters(prototype.text.substring(open + name.length() + 2, prototype.text.length() - 1)),
                String.join("\n", documentation));
    }

    /** Splits at the commas that are not within parentheses: a pointer to a function has its own. */
    private static List<Declaration> parameters(String text) {
        List<Declaration> parameters = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && depth == 0 && i > start) {
                parameters.add(declaration(text.substring(start, i).strip()));
                start = i + 1;
            }
        }
        return parameters;
    }

    private record Line(int number, int depth, String text) {
        static Line of(int number, String raw) {
            String text = raw.strip();
            return new Line(number, (raw.length() - raw.stripLeading().length()) / INDENT.length(), text);
        }

        String after(String prefix) {
            if (!text.startsWith(prefix)) {
                throw wrong();
            }
            return text.substring(prefix.length());
        }

        IllegalArgumentException wrong() {
            return new IllegalArgumentException("symbol table, line " + number + ": cannot read \"" + text + "\"");
        }
    }
}
