// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;
import org.comm4j.bind.DeviceHeader.Callable;
import org.comm4j.bind.DeviceHeader.Enumeration;
import org.comm4j.bind.DeviceType.Enumerated;
import org.comm4j.bind.DeviceType.Impossible;
import org.comm4j.bind.DeviceType.Nothing;
import org.comm4j.bind.DeviceType.Numeric;
import org.comm4j.bind.DeviceType.Reference;
import org.comm4j.bind.DeviceType.Struct;
import org.comm4j.bind.DeviceType.Structure;

/** What C++ names are in Java. */
final class DeviceNames {
    /** Structs for which kernels in Java have records already. */
    private static final Map<String, String> KNOWN = Map.of(
            "__half", "Half",
            "__half2", "Half2",
            "__nv_bfloat16", "BFloat16",
            "__nv_bfloat162", "BFloat162",
            "float2", "Float2",
            "float4", "Float4",
            "int2", "Int2",
            "int4", "Int4",
            "double2", "Double2",
            "longlong2", "Long2");

    private static final Map<String, String> KNOWN_POINTERS = Map.ofEntries(
            Map.entry("__half", "F16Ptr"),
            Map.entry("__half2", "F16Ptr"),
            Map.entry("__nv_bfloat16", "BF16Ptr"),
            Map.entry("__nv_bfloat162", "BF16Ptr"),
            Map.entry("__nv_fp8_e4m3", "F8E4M3Ptr"),
            Map.entry("__nv_fp8_e5m2", "F8E5M2Ptr"),
            Map.entry("float2", "F32Ptr"),
            Map.entry("float4", "F32Ptr"),
            Map.entry("int2", "I32Ptr"),
            Map.entry("int4", "I32Ptr"),
            Map.entry("double2", "F64Ptr"),
            Map.entry("longlong2", "I64Ptr"));

    private static final Map<String, String> BINARY = Map.ofEntries(
            Map.entry("+", "add"),
            Map.entry("-", "subtract"),
            Map.entry("*", "multiply"),
            Map.entry("/", "divide"),
            Map.entry("%", "remainder"),
            Map.entry("&", "and"),
            Map.entry("|", "or"),
            Map.entry("^", "xor"),
            Map.entry("<<", "shiftLeft"),
            Map.entry(">>", "shiftRight"),
            Map.entry("&&", "logicalAnd"),
            Map.entry("||", "logicalOr"),
            Map.entry("==", "equal"),
            Map.entry("!=", "notEqual"),
            Map.entry("<", "less"),
            Map.entry("<=", "lessOrEqual"),
            Map.entry(">", "greater"),
            Map.entry(">=", "greaterOrEqual"),
            Map.entry("=", "assign"),
            Map.entry("+=", "addAssign"),
            Map.entry("-=", "subtractAssign"),
            Map.entry("*=", "multiplyAssign"),
            Map.entry("/=", "divideAssign"),
            Map.entry("%=", "remainderAssign"),
            Map.entry("&=", "andAssign"),
            Map.entry("|=", "orAssign"),
            Map.entry("^=", "xorAssign"),
            Map.entry("<<=", "shiftLeftAssign"),
            Map.entry(">>=", "shiftRightAssign"),
            Map.entry("[]", "element"),
            Map.entry("()", "call"),
            Map.entry("->", "arrow"),
            Map.entry("->*", "arrowStar"),
            Map.entry(",", "comma"),
            Map.entry("++", "postIncrement"),
            Map.entry("--", "postDecrement"));

    private static final Map<String, String> UNARY = Map.of(
            "+", "plus",
            "-", "negate",
            "!", "not",
            "~", "complement",
            "*", "dereference",
            "&", "addressOf",
            "++", "increment",
            "--", "decrement",
            "()", "call",
            "->", "arrow");

    private static final Set<String> METHODS_OF_OBJECT =
            Set.of("wait", "notify", "notifyAll", "getClass", "hashCode", "toString", "clone", "finalize", "equals");

    private final DeviceConfig config;
    private final Map<String, String> types = new LinkedHashMap<>();
    private final Map<String, String> owners = new HashMap<>();

    DeviceNames(DeviceConfig config) {
        this.config = config;
        owners.put(config.className.substring(config.className.lastIndexOf('.') + 1), "");
        owners.put("Cpu", "");
    }

    /** Whether the record comes with kernels in Java. */
    static boolean isKnown(Struct struct) {
        return KNOWN.containsKey(struct.cpp());
    }

    String record(Struct struct) {
        return KNOWN.getOrDefault(struct.cpp(), ofType(struct.cpp()));
    }

    String pointer(Struct struct) {
        return KNOWN_POINTERS.getOrDefault(struct.cpp(), ofType(struct.cpp()) + "Ptr");
    }

    /** Whether the pointer is a record around an {@code I8Ptr}. */
    static boolean isWrapped(Struct struct) {
        return !KNOWN_POINTERS.containsKey(struct.cpp());
    }

    String enumeration(Enumeration enumeration) {
        return ofType(enumeration.name());
    }

    /**
     * One name for each C++ type: {@code curandStateXORWOW} is CurandStateXORWOW, {@code a::Pair<int, 3>} is PairInt3.
     */
    String ofType(String cpp) {
        return types.computeIfAbsent(cpp, name -> {
            String given = config.names.get(name);
            String simple = given != null ? given : camel(name);
            String unique = simple;
            for (int i = 2; owners.putIfAbsent(unique, name) != null || KNOWN.containsValue(unique); i++) {
                unique = simple + "_" + i;
            }
            return unique;
        });
    }

    private String camel(String cpp) {
        String last = cpp.replaceAll("<.*", "");
        last = last.substring(last.lastIndexOf(':') + 1)
                + cpp.substring(cpp.replaceAll("<.*", "").length());
        for (String prefix : config.strip) {
            if (last.startsWith(prefix) && last.length() > prefix.length()) {
                last = last.substring(prefix.length());
            }
        }
        last = last.replaceAll("_t$", "").replace("*", " Ptr").replace("-", "Minus");
        String java = Pattern.compile("(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])")
                .matcher(last)
                .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT))
                .replaceAll("[^A-Za-z0-9]", "");
        return java.isEmpty() || Character.isDigit(java.charAt(0)) ? "Type" + java : java;
    }

    String variable(String cpp) {
        return SourceVersion.isKeyword(cpp) || cpp.equals("cpu") || METHODS_OF_OBJECT.contains(cpp) ? cpp + "_" : cpp;
    }

    String constant(String cpp) {
        String name = config.names.getOrDefault(cpp, stripped(cpp.substring(cpp.lastIndexOf(':') + 1)));
        return variable(name);
    }

    private String stripped(String name) {
        for (String prefix : config.strip) {
            if (name.startsWith(prefix)
                    && name.length() > prefix.length()
                    && Character.isJavaIdentifierStart(name.charAt(prefix.length()))) {
                return name.substring(prefix.length());
            }
        }
        return name;
    }

    /** The method of a callable. Functions keep their C++ names. */
    String method(Callable callable, DeviceType result, int parameters) {
        String given = config.names.get(callable.qualified());
        if (given == null) {
            given = config.names.get(callable.node().name());
        }
        if (given != null) {
            return given;
        }
        return switch (callable.role()) {
            case CONSTRUCTOR -> "new" + ofOwner(callable);
            case CONVERSION -> "to" + capital(word(result));
            case FREE, FRIEND, STATIC, METHOD, COLLECTIVE -> {
                String name = callable.node().name();
                String call = callable.call();
                if (name.startsWith("operator")
                        && name.length() > 8
                        && !Character.isJavaIdentifierPart(name.charAt(8))) {
                    String sign = name.substring(8).strip();
                    int operands = parameters + (callable.role() == DeviceHeader.Role.METHOD ? 1 : 0);
                    name = operands == 1 ? UNARY.getOrDefault(sign, "operator") : BINARY.getOrDefault(sign, "operator");
                }
                Gaps gaps = callable.gaps();
                if (gaps != null && callable.role() == DeviceHeader.Role.COLLECTIVE) {
                    String owner = gaps.template().substring(gaps.template().lastIndexOf(':') + 1);
                    name = Character.toLowerCase(owner.charAt(0)) + owner.substring(1) + capital(name);
                }
                String end = gaps != null ? gaps.extra() : call.contains("<") ? integers(call) : "";
                yield variable(stripped(name) + end);
            }
        };
    }

    /** Template arguments that are numbers do not show in Java's types: {@code power<3, float>} is {@code power_3}. */
    private static String integers(String call) {
        StringBuilder text = new StringBuilder();
        Pattern.compile("[<,] *(-?\\d+)(?=[,>])")
                .matcher(call)
                .results()
                .forEach(match -> text.append('_').append(match.group(1).replace("-", "minus")));
        return text.toString();
    }

    private String ofOwner(Callable callable) {
        String known = KNOWN.get(callable.owner());
        return known != null ? known : ofType(callable.owner());
    }

    private static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    /** A type in a method's name. */
    String word(DeviceType type) {
        return switch (type) {
            case Nothing() -> "Void";
            case Numeric number -> {
                String word = number.cpp()
                        .replace("unsigned long long", "unsigned long")
                        .replace("long long", "long");
                StringBuilder text = new StringBuilder();
                for (String part : word.split(" ")) {
                    text.append(text.isEmpty() ? part : capital(part));
                }
                yield text.toString();
            }
            case Enumerated enumerated -> enumeration(enumerated.of());
            case Structure structure -> record(structure.of());
            case Reference reference -> word(reference.target()) + (reference.pointer() ? "Ptr" : "");
            case Impossible _ -> "Unknown";
        };
    }

    /** The Java class of a pointer. */
    String pointerTo(DeviceType target) {
        return switch (target) {
            case Nothing(), Impossible _ -> "I8Ptr";
            case Numeric number -> pointerTo(number);
            case Enumerated enumerated -> pointerTo(DeviceType.underlying(enumerated));
            case Structure structure -> pointer(structure.of());
            case Reference _ -> "I64Ptr";
        };
    }

    static String pointerTo(Numeric number) {
        return (number.java().equals("float") || number.java().equals("double") ? "F" : "I") + number.bytes() * 8
                + "Ptr";
    }

    /** Whether Java's ordinals are the values. */
    static boolean isDense(Enumeration enumeration) {
        List<DeviceHeader.Enumerator> list = enumeration.enumerators();
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).value() != i) {
                return false;
            }
        }
        return true;
    }
}
