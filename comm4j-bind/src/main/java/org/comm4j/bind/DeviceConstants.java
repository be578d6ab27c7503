// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.bind.clang.CudaSource;

/** Constants and macros of a header whose values the compiler can compute. */
final class DeviceConstants {
    /** A constant of Java. */
    record Constant(String type, String value) {}

    private final DeviceConfig config;
    private final DeviceHeader header;
    private final Probe probe;

    DeviceConstants(DeviceConfig config, DeviceHeader header, Probe probe) {
        this.config = config;
        this.header = header;
        this.probe = probe;
    }

    /** Constants by their names in C++, of those that are numbers, truth values or texts. */
    Map<String, Constant> of(Map<String, String> macros) throws IOException {
        Map<String, String> expressions = new LinkedHashMap<>();
        header.constants.keySet().forEach(name -> expressions.put(name, "::" + name));
        Map<String, Constant> constants = new LinkedHashMap<>();
        macros.forEach((name, value) -> {
            if (value.matches("\"[^\"\\\\]*\"")) {
                constants.put(name, new Constant("String", value));
            } else if (config.isWanted(name) && isExpression(value)) {
                expressions.put(name, name);
            }
        });
        List<String> names = List.copyOf(expressions.keySet());
        StringBuilder probes = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            probes.append(Probe.value("k" + i, "comm4j_kind(" + expressions.get(names.get(i)) + ")"));
            probes.append(Probe.value("v" + i, "comm4j_value(" + expressions.get(names.get(i)) + ")"));
        }
        Probe.Answers answers = probe.ask(probes.toString());
        for (int i = 0; i < names.size(); i++) {
            CudaSource.Place place = header.constants.get(names.get(i));
            long kind = answers.values().getOrDefault("k" + i, 0L);
            Long value = answers.values().get("v" + i);
            if (kind != 0 && value != null) {
                constants.put(names.get(i), constant((int) kind, value));
            } else if (place != null) {
                header.leftOut.add(
                        new DeviceHeader.LeftOut(names.get(i), place, "no number that the compiler can compute"));
            }
        }
        return constants;
    }

    private static boolean isExpression(String text) {
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
            if (depth < 0) {
                return false;
            }
        }
        return depth == 0
                && !text.matches(".*[;{}#\\\\\"].*")
                && !text.matches(
                        ".*\\b(static|inline|__inline__|extern|typedef|template|asm|struct|const|__attribute__)\\b.*")
                && text.matches(".*\\w.*");
    }

    private static Constant constant(int kind, long value) {
        return switch (kind) {
            case 1 -> new Constant("boolean", String.valueOf(value != 0));
            case 2 -> new Constant("float", real((float) Double.longBitsToDouble(value), "f", "Float"));
            case 3 -> new Constant("double", real(Double.longBitsToDouble(value), "", "Double"));
            case 4 -> new Constant("int", String.valueOf((int) value));
            default -> new Constant("long", value + "L");
        };
    }

    private static String real(double value, String suffix, String box) {
        if (Double.isNaN(value)) {
            return box + ".NaN";
        }
        if (Double.isInfinite(value)) {
            return box + (value > 0 ? ".POSITIVE_INFINITY" : ".NEGATIVE_INFINITY");
        }
        return (suffix.isEmpty() ? String.valueOf(value) : String.valueOf((float) value)) + suffix;
    }
}
