// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;

/** Leave to do in a class what the class itself may: to call its private methods, and to add a nest mate. */
final class Access {
    private static final ClassDesc LOOKUP =
            MethodHandles.Lookup.class.describeConstable().orElseThrow();

    private static final ClassValue<Lookup> OF = new ClassValue<>() {
        @Override
        protected Lookup computeValue(Class<?> type) {
            return compute(type);
        }
    };

    private Access() {}

    /** @throws IllegalStateException if the class is in a module that is not open to this one */
    static Lookup to(Class<?> type) {
        // One at a time: the class that is defined below has a name, and that may be defined only once.
        synchronized (OF) {
            return OF.get(type);
        }
    }

    private static Lookup compute(Class<?> type) {
        Access.class.getModule().addReads(type.getModule());
        try {
            Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            return lookup.hasFullPrivilegeAccess() ? lookup : MethodHandles.privateLookupIn(type, neighbour(lookup));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(
                    "kernels of " + type.getName() + " cannot be reached: let module "
                            + type.getModule().getName() + " say \"opens " + type.getPackageName()
                            + " to org.comm4j.kernel\"",
                    e);
        }
    }

    /**
     * From one module to another there is no leave to add nest mates, only to add a class to the package. Such a class
     * is in the right module: what it may, has no such limit.
     */
    private static Lookup neighbour(Lookup lookup) throws IllegalAccessException {
        ClassDesc self = ClassDesc.of(lookup.lookupClass().getName() + "$$Comm4jAccess");
        byte[] bytes = ClassFile.of()
                .build(
                        self,
                        type -> type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
                                .withMethodBody(
                                        "lookup",
                                        MethodTypeDesc.of(LOOKUP),
                                        ClassFile.ACC_STATIC,
                                        code -> code.invokestatic(
                                                        ConstantDescs.CD_MethodHandles,
                                                        "lookup",
                                                        MethodTypeDesc.of(LOOKUP))
                                                .areturn()));
        Class<?> neighbour = lookup.defineClass(bytes);
        try {
            MethodHandle method = lookup.findStatic(neighbour, "lookup", MethodType.methodType(Lookup.class));
            return (Lookup) method.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(
                    "no access to " + lookup.lookupClass().getName(), e);
        }
    }
}
