// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@link RandomKernel}s that were compiled ahead, for Java runtimes without a compiler: {@code dev/gpu-tests} puts a
 * jar of them beside the tests.
 */
final class RandomPacked {
    static final String CLASS = "generated.Communicating";
    static final String SEED = "generated/communicating.seed";

    private RandomPacked() {}

    /** Whether this Java runtime has a compiler. */
    static boolean isThere() {
        return ModuleLayer.boot().findModule("jdk.compiler").isPresent();
    }

    /** Why there are not so many packed ones here; null if there are. */
    static @Nullable String problem(ClassLoader loader, int count) {
        try (InputStream in = loader.getResourceAsStream(SEED)) {
            if (in == null) {
                return "this Java runtime has no module jdk.compiler to compile random kernels, and none are packed with the tests";
            }
            String[] words = new String(in.readAllBytes(), StandardCharsets.UTF_8).split(" ");
            return Long.parseLong(words[0]) == RandomKernels.SEED && Integer.parseInt(words[1]) >= count
                    ? null
                    : "this Java runtime has no module jdk.compiler, and packed are " + words[1]
                            + " random kernels of seed " + words[0] + " instead of " + count + " of seed "
                            + RandomKernels.SEED;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static Method packed(ClassLoader loader, int number) {
        return kernel(loader, CLASS + number);
    }

    static Method kernel(ClassLoader loader, String name) {
        try {
            return Arrays.stream(loader.loadClass(name).getDeclaredMethods())
                    .filter(method -> method.getName().equals("kernel"))
                    .findFirst()
                    .orElseThrow();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
