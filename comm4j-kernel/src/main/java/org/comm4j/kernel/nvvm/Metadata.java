// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Position;

/** The numbered nodes at the module's end: what is a kernel, where the lines are, how loops are unrolled. */
final class Metadata {
    private final boolean lines;
    private final List<String> nodes = new ArrayList<>();
    private final Map<String, Integer> known = new HashMap<>();
    private final List<Integer> annotations = new ArrayList<>();
    private int unit = -1;
    private int producerType = -1;

    Metadata(boolean lines) {
        this.lines = lines;
    }

    /** The number of a node; equal ones are one. */
    private int node(String text) {
        return known.computeIfAbsent(text, key -> {
            nodes.add(key);
            return nodes.size() - 1;
        });
    }

    /** A node that is only equal to itself; {@code #} in its text is its own number. */
    private int distinct(String text) {
        nodes.add("distinct " + text.replace("#", "!" + nodes.size()));
        return nodes.size() - 1;
    }

    /** Says something about the kernel: {@code "maxntidx", 256}. */
    void annotate(String kernel, String what, int value) {
        annotations.add(node("!{" + kernel + ", !\"" + what + "\", i32 " + value + "}"));
    }

    /**
     * What follows a loop's branch back: {@code , !llvm.loop !7}.
     *
     * @param unroll as of {@link Loops#hints}
     */
    String loop(int unroll) {
        String how = switch (unroll) {
            case -1 -> "!{!\"llvm.loop.unroll.full\"}";
            case 1 -> "!{!\"llvm.loop.unroll.disable\"}";
            case Loops.NOT_AT_RUN_TIME -> "!{!\"llvm.loop.unroll.runtime.disable\"}";
            default -> "!{!\"llvm.loop.unroll.count\", i32 " + unroll + "}";
        };
        return ", !llvm.loop !" + distinct("!{#, !" + node(how) + "}");
    }

    private int file(String name) {
        return node("!DIFile(filename: \"" + Llvm.escape(name.isEmpty() ? "unknown" : name) + "\", directory: \"\")");
    }

    /** The scope of a function's lines, or −1 without them. */
    int subprogram(Function function) {
        if (!lines) {
            return -1;
        }
        int file = file(function.at().file());
        if (unit < 0) {
            unit = distinct(
                    "!DICompileUnit(language: DW_LANG_C_plus_plus, file: !" + file
                            + ", producer: \"comm4j\", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly)");
            producerType = node("!DISubroutineType(types: !" + node("!{}") + ")");
        }
        return distinct("!DISubprogram(name: \"" + Llvm.escape(function.at().method()) + "\", linkageName: \""
                + function.name() + "\", scope: !" + file + ", file: !" + file + ", line: "
                + function.at().line() + ", type: !" + producerType + ", isLocal: " + !function.isKernel()
                + ", isDefinition: true, scopeLine: " + function.at().line() + ", isOptimized: true, unit: !" + unit
                + ")");
    }

    /** What follows an instruction: {@code , !dbg !12}; empty without lines. */
    String line(int subprogram, Function function, Position at) {
        if (subprogram < 0) {
            return "";
        }
        int scope = subprogram;
        if (at.line() > 0 && !at.file().equals(function.at().file())) {
            scope = node("!DILexicalBlockFile(scope: !" + subprogram + ", file: !" + file(at.file())
                    + ", discriminator: 0)");
        }
        return ", !dbg !" + node("!DILocation(line: " + at.line() + ", column: 1, scope: !" + scope + ")");
    }

    void write(StringBuilder text) {
        text.append('\n');
        text.append("!nvvm.annotations = !{");
        for (int i = 0; i < annotations.size(); i++) {
            text.append(i == 0 ? "!" : ", !").append(annotations.get(i));
        }
        text.append("}\n");
        int version = node(lines ? "!{i32 2, i32 0, i32 3, i32 1}" : "!{i32 2, i32 0}");
        text.append("!nvvmir.version = !{!").append(version).append("}\n");
        if (unit >= 0) {
            text.append("!llvm.dbg.cu = !{!").append(unit).append("}\n");
            // Behaviour 1, as NVRTC says it: units that differ in this do not link.
            text.append("!llvm.module.flags = !{!")
                    .append(node("!{i32 1, !\"Debug Info Version\", i32 3}"))
                    .append("}\n");
        }
        for (int i = 0; i < nodes.size(); i++) {
            text.append('!').append(i).append(" = ").append(nodes.get(i)).append('\n');
        }
    }
}
