// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
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
 * {@code BlockIdx.x() * BlockDim.x() + ThreadIdx.x()}, as everybody writes it, is {@code GlobalIdx.x()}: the variable of the loop over threads, about whose range the JVM
 * knows what it needs.
 */
final class GlobalIndex {
    private static final InvokeInstruction CALL = InvokeInstruction.of(
            Opcode.INVOKESTATIC,
            ConstantPoolBuilder.of()
                    .methodRefEntry(
                            ClassDesc.of(Vocabulary.PACKAGE + ".GlobalIdx"), "x", MethodTypeDesc.of(ConstantDescs.CD_int)));

    private GlobalIndex() {}

    static List<CodeElement> recognised(CodeModel code) {
        List<CodeElement> elements = code.elementList();
        List<CodeElement> result = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            int length = length(elements, i);
            if (length > 0) {
                result.add(CALL);
                i += length - 1;
            } else {
                result.add(elements.get(i));
            }
        }
        return result;
    }

    private static int length(List<CodeElement> elements, int from) {
        List<String> seen = new ArrayList<>();
        for (int i = from; i < elements.size() && seen.size() < 5; i++) {
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
            if (seen.size() == 5) {
                boolean product = seen.get(0).equals("BLOCK_X") && seen.get(1).equals("BLOCK_DIM_X")
                        || seen.get(0).equals("BLOCK_DIM_X") && seen.get(1).equals("BLOCK_X");
                boolean first = product
                        && seen.get(2).equals("IMUL")
                        && seen.get(3).equals("THREAD_X")
                        && seen.get(4).equals("IADD");
                return first ? i - from + 1 : 0;
            }
        }
        return 0;
    }
}
