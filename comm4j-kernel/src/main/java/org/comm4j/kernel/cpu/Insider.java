// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;

/**
 * A lookup that may define hidden classes beside a class of another module: of that module itself, as only its own code can make one. A class of a single method
 * is put into the package for it, visible there only.
 */
final class Insider {
    private static final String NAME = "Comm4jInsider";
    private static final String METHOD = "lookup";

    private Insider() {}

    /** @param lookup into {@code type}'s private members, from outside of its module */
    static Lookup of(Class<?> type, Lookup lookup) throws IllegalAccessException {
        if (lookup.hasFullPrivilegeAccess()) {
            return lookup;
        }
        Class<?> insider;
        synchronized (Insider.class) {
            insider = define(type, lookup);
        }
        try {
            Lookup there = MethodHandles.privateLookupIn(insider, MethodHandles.lookup());
            return MethodHandles.privateLookupIn(
                    type, (Lookup) there.findStatic(insider, METHOD, MethodType.methodType(Lookup.class))
                            .invokeExact());
        } catch (IllegalAccessException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("no lookup beside " + type, e);
        }
    }

    private static Class<?> define(Class<?> type, Lookup lookup) throws IllegalAccessException {
        String name = type.getPackageName().isEmpty() ? NAME : type.getPackageName() + "." + NAME;
        try {
            return Class.forName(name, false, type.getClassLoader());
        } catch (ClassNotFoundException e) {
            return lookup.defineClass(bytes(ClassDesc.of(name)));
        }
    }

    private static byte[] bytes(ClassDesc self) {
        ClassDesc lookup = ConstantDescs.CD_MethodHandles_Lookup;
        MethodTypeDesc type = MethodTypeDesc.of(lookup);
        return ClassFile.of()
                .build(
                        self,
                        builder -> builder.withFlags(
                                        ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
                                .withMethodBody(
                                        METHOD,
                                        type,
                                        ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC,
                                        code -> code.invokestatic(
                                                        MethodHandles.class
                                                                .describeConstable()
                                                                .orElseThrow(),
                                                        METHOD,
                                                        type)
                                                .areturn()));
    }
}
