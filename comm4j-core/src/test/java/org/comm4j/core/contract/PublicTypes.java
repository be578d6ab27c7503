// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Public types of a package, for tests that must not forget one. */
public final class PublicTypes {
    private PublicTypes() {}

    /** Returns those of the package of a type and of the packages below it, whose classes lie in a folder. */
    public static List<Class<?>> beside(Class<?> one) {
        try {
            Path root = Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
            assumeTrue(Files.isDirectory(root), () -> root + " is packed; the build looks at its folder of classes");
            List<Class<?>> types = new ArrayList<>();
            try (Stream<Path> files =
                    Files.walk(root.resolve(one.getPackageName().replace('.', '/')))) {
                for (Path file : files.sorted().toList()) {
                    String name = root.relativize(file).toString().replace('/', '.');
                    if (name.endsWith(".class") && !name.endsWith("-info.class")) {
                        Class<?> type = Class.forName(
                                name.substring(0, name.length() - ".class".length()), false, one.getClassLoader());
                        if (isPublic(type)) {
                            types.add(type);
                        }
                    }
                }
            }
            return types;
        } catch (IOException | URISyntaxException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isPublic(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers()) && (outer == null || isPublic(outer));
    }
}
