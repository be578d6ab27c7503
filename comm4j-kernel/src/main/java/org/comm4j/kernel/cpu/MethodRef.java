// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;

/** A method as bytecode calls it: the class by its internal name. */
record MethodRef(String owner, String name, String descriptor) {
    static MethodRef of(InvokeInstruction call) {
        return new MethodRef(
                call.owner().asInternalName(),
                call.name().stringValue(),
                call.type().stringValue());
    }

    static MethodRef of(DirectMethodHandleDesc handle) {
        String owner = handle.owner().descriptorString();
        return new MethodRef(owner.substring(1, owner.length() - 1), handle.methodName(), handle.lookupDescriptor());
    }
}
