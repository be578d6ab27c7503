// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.bindgen.SymbolTable.Declaration;
import org.comm4j.bindgen.SymbolTable.Family;
import org.comm4j.bindgen.SymbolTable.Function;

/** Finds the functions that are the same but for a C type, or for the number of bits in their name. */
final class Families {
    private static final Pattern SIZED =
            Pattern.compile("(nvshmemx?_(?:qp_)?i?(?:put|get))(8|16|32|64|128)((?:_\\w+)?)");

    private final Map<String, String> elements;
    private final Pattern typed;

    /**
     * @param elements the words for types, and the types
     */
    Families(Map<String, String> elements) {
        this.elements = elements;
        this.typed = Pattern.compile("(nvshmemx?_(?:qp_)?)(" + String.join("|", elements.keySet()) + ")(_\\w+)");
    }

    /** Moves the functions that belong to families from the table's functions to its families. */
    void collect(SymbolTable table) {
        table.elements().putAll(elements);
        Map<String, Function> patterns = new LinkedHashMap<>();
        Map<String, List<String>> members = new LinkedHashMap<>();
        List<Function> single = new ArrayList<>();
        for (Function function : table.functions()) {
            Matcher byType = typed.matcher(function.name());
            Matcher bySize = SIZED.matcher(function.name());
            if (byType.matches()) {
                String name = byType.group(1) + SymbolTable.TYPE + byType.group(3);
                add(generic(function, name, elements.get(byType.group(2))), byType.group(2), patterns, members);
            } else if (bySize.matches()) {
                String name = bySize.group(1) + SymbolTable.NUMBER + bySize.group(3);
                add(renamed(function, name), bySize.group(2), patterns, members);
            } else {
                single.add(function);
            }
        }
        table.functions().clear();
        table.functions().addAll(single);
        List<String> order = new ArrayList<>(elements.keySet());
        new TreeMap<>(patterns).forEach((key, function) -> {
            List<String> words = members.get(key);
            words.sort(
                    key.contains(SymbolTable.TYPE)
                            ? Comparator.comparingInt(order::indexOf)
                            : Comparator.comparingInt(Integer::parseInt));
            table.families().add(new Family(function, List.copyOf(words)));
        });
    }

    private static void add(
            Function function, String member, Map<String, Function> patterns, Map<String, List<String>> members) {
        // What came later is a family of its own.
        String key = function.name() + " " + function.since();
        Function known = patterns.putIfAbsent(key, function);
        if (known != null && !types(known).equals(types(function))) {
            throw new IllegalStateException(TableText.prototype(function) + " for " + member + " is not "
                    + TableText.prototype(known) + " like the others");
        }
        members.computeIfAbsent(key, name -> new ArrayList<>()).add(member);
    }

    static List<String> types(Function function) {
        List<String> types = new ArrayList<>(List.of(function.result()));
        function.parameters().forEach(parameter -> types.add(parameter.type()));
        return types;
    }

    private static Function renamed(Function f, String name) {
        return new Function(name, List.of(name), f.since(), f.result(), f.parameters(), "");
    }

    /**
     * The function with T for its type. A type that other parameters have by themselves, like the size of size_t, stays
     * there: only what is called as the elements are is replaced.
     */
    private static Function generic(Function f, String name, String type) {
        List<Declaration> parameters = f.parameters().stream()
                .map(each -> isElement(each.name()) ? new Declaration(withT(each.type(), type), each.name()) : each)
                .toList();
        // A reduction of int gives a status, which is an int too.
        boolean gives = name.endsWith("_g") || name.endsWith("_g_on_stream") || name.contains("_atomic_");
        return new Function(
                name, List.of(name), f.since(), gives ? withT(f.result(), type) : f.result(), parameters, "");
    }

    private static boolean isElement(String parameter) {
        return parameter.matches("dest|src|source|target|value|cond|compare|ivars?|cmp_value|cmp_values");
    }

    private static String withT(String written, String type) {
        return written.replaceAll("\\b(__)?" + type.replaceFirst("^__", "") + "\\b", "T")
                .replaceAll("^const T$", "T");
    }
}
