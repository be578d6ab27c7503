// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.capture;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Class files as their loaders have them; parsed once. */
public final class ClassBytes {
    private final Map<Class<?>, @Nullable ClassModel> models = new HashMap<>();

    /** Null if there is no class file: of a hidden class, or one made at run time. */
    public @Nullable ClassModel model(Class<?> type) {
        if (!models.containsKey(type)) {
            byte[] bytes = bytes(type);
            models.put(type, bytes == null ? null : ClassFile.of().parse(bytes));
        }
        return models.get(type);
    }

    /** All whose class files were asked for. */
    public Set<Class<?>> seen() {
        return models.keySet();
    }

    /** What is said of a class whose file is needed and not there. */
    public static String missing(Class<?> type) {
        return "the class file of " + type.getName() + " cannot be found"
                + (type.isHidden() ? ": the class is hidden" : "");
    }

    /** What to do about it. */
    public static String hint(Class<?> type) {
        return type.isHidden()
                ? "write kernels and what they call in classes that have a file; a hidden class is made at run time"
                : "its class loader has to give it as a resource; a class that is made at run time has none";
    }

    /** Null if there is no class file. */
    public static byte @Nullable [] bytes(Class<?> type) {
        if (type.isHidden() || type.isPrimitive() || type.isArray()) {
            return null;
        }
        String name = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getResourceAsStream(name)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException broken) {
            return null;
        }
    }
}
