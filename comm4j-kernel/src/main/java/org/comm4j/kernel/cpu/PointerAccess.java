// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

/**
 * What a method of a pointer does to memory, by its name.
 *
 * @param kind {@link #READ}, {@link #WRITE}, or both
 * @param atomic whether it races with no other atomic one
 * @param acquires whether it acquires by itself
 * @param releases whether it releases by itself
 * @param pauses whether it lets others go first
 * @param element bytes of one element
 * @param count elements
 */
record PointerAccess(
        int kind, boolean atomic, boolean acquires, boolean releases, boolean pauses, int element, int count) {
    static final int READ = 1;
    static final int WRITE = 2;

    static boolean isOne(MethodRef called) {
        return called.owner().startsWith("org/comm4j/kernel/lang/")
                && called.owner().endsWith("Ptr")
                && called.descriptor().startsWith("(J")
                && (called.name().startsWith("get")
                        || called.name().startsWith("set")
                        || called.name().startsWith("atomic"));
    }

    static PointerAccess of(String type, String method) {
        int element = switch (type) {
            case "F64Ptr", "I64Ptr" -> 8;
            case "F32Ptr", "I32Ptr" -> 4;
            case "I16Ptr", "F16Ptr", "BF16Ptr" -> 2;
            default -> 1;
        };
        boolean rmw = method.startsWith("atomic");
        int kind = rmw ? READ | WRITE : method.startsWith("get") ? READ : WRITE;
        boolean acquires = method.endsWith("Acquire");
        boolean releases = method.endsWith("Release");
        boolean atomic = rmw || acquires || releases || method.endsWith("Volatile");
        char last = method.charAt(method.length() - 1);
        int count = last == '2' || last == '4' ? last - '0' : 1;
        boolean pauses =
                acquires || method.equals("getVolatile") || method.equals("atomicExch") || method.equals("atomicCas");
        return new PointerAccess(kind, atomic, acquires, releases, pauses, element, count);
    }

    /** As one number, for code that is generated. */
    int code() {
        return kind
                | (atomic ? 4 : 0)
                | (acquires ? 8 : 0)
                | (releases ? 16 : 0)
                | (pauses ? 32 : 0)
                | element << 8
                | count << 16;
    }

    static PointerAccess of(int code) {
        return new PointerAccess(
                code & 3,
                (code & 4) != 0,
                (code & 8) != 0,
                (code & 16) != 0,
                (code & 32) != 0,
                code >> 8 & 0xff,
                code >> 16 & 0xff);
    }
}
