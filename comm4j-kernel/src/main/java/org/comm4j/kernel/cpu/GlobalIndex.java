// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ConstantPoolBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code BlockIdx.x() * BlockDim.x() + ThreadIdx.x()}, as everybody writes it, is {@code GlobalIdx.x()}: the variable
 * of the loop over threads, about whose range the JVM knows what it needs.
 */
final class GlobalIndex {
    private static final InvokeInstruction CALL = call("x", ConstantDescs.CD_int);
    private static final InvokeInstruction LONG_CALL = call("xLong", ConstantDescs.CD_long);

    private static final List<String> SUM = List.of("IMUL", "THREAD_X", "IADD");
    private static final List<String> LONG_SUM = List.of("I2L", "LMUL", "THREAD_X", "I2L", "LADD");

    private GlobalIndex() {}

    private static InvokeInstruction call(String name, ClassDesc result) {
        return InvokeInstruction.of(
                Opcode.INVOKESTATIC,
                ConstantPoolBuilder.of()
                        .methodRefEntry(
                                ClassDesc.of(Vocabulary.LANGUAGE + ".GlobalIdx"), name, MethodTypeDesc.of(result)));
    }

    static List<CodeElement> recognised(CodeModel code) {
        List<CodeElement> elements = code.elementList();
        // That is how the methods which would be called do it.
        boolean itself = code.parent()
                .flatMap(MethodModel::parent)
                .map(c -> c.thisClass().asInternalName().equals(LoopVectorizer.GLOBAL_IDX))
                .orElse(false);
        List<CodeElement> result = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            int length = itself ? 0 : length(elements, i, false);
            int longLength = itself ? 0 : length(elements, i, true);
            if (length > 0) {
                result.add(CALL);
                i += length - 1;
            } else if (longLength > 0) {
                result.add(LONG_CALL);
                i += longLength - 1;
            } else {
                result.add(elements.get(i));
            }
        }
        return result;
    }

    /** How many elements from one on are the sum; 0 if they are not. */
    private static int length(List<CodeElement> elements, int from, boolean wide) {
        List<String> rest = wide ? LONG_SUM : SUM;
        int most = rest.size() + (wide ? 3 : 2);
        List<String> seen = new ArrayList<>();
        for (int i = from; i < elements.size() && seen.size() < most; i++) {
            switch (elements.get(i)) {
                case InvokeInstruction call -> {
                    Index index = Index.of(MethodRef.of(call));
                    seen.add(index == null ? "" : index.name());
                }
                case Instruction instruction -> seen.add(instruction.opcode().name());
                case LabelTarget _ -> {
                    return 0;
                }
                default -> {}
            }
            if (i == from && seen.isEmpty()) {
                return 0;
            }
            if (seen.size() == most) {
                if (wide && !seen.remove(1).equals("I2L")) {
                    return 0;
                }
                boolean product = seen.get(0).equals("BLOCK_X") && seen.get(1).equals("BLOCK_DIM_X")
                        || seen.get(0).equals("BLOCK_DIM_X") && seen.get(1).equals("BLOCK_X");
                return product && seen.subList(2, seen.size()).equals(rest) ? i - from + 1 : 0;
            }
        }
        return 0;
    }
}
