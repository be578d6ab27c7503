// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a module makes ready while a GPU is opened or a native library initialised, which is mostly waiting: of the
 * first kernel of a process most is not the kernel but the JVM, which loads and links the classes that a launch takes.
 * Modules provide it through {@link ServiceLoader}; engines, which need not know them, {@link #begin} it.
 */
public abstract class Rehearsal {
    /**
     * A GPU is being opened: a tenth of a second or more, and the first thing that programs of all engines on GPUs do.
     */
    public static final String DEVICE = "device";

    private static final Set<String> BEGUN = ConcurrentHashMap.newKeySet();

    protected Rehearsal() {}

    /**
     * Does what a first use will do, as far as a program that never comes to it would not notice: nothing is compiled,
     * written, opened on a device or said. In a thread of its own, which nobody waits for; what it throws is of no
     * interest.
     *
     * @param engine what is being initialised: {@link #DEVICE}, {@code nvshmem} or {@code nccl}
     */
    protected abstract void run(String engine) throws Exception;

    /**
     * A GPU is about to be opened, or an engine's library initialised: begins what the modules at hand provide, in a
     * daemon thread; the first time in a process. Returns at once.
     */
    public static void begin(String engine) {
        if (BEGUN.add(engine)) {
            Thread.ofPlatform().daemon().name("comm4j rehearsal for " + engine).start(() -> runAll(engine));
        }
    }

    private static void runAll(String engine) {
        try {
            for (Rehearsal each : ServiceLoader.load(Rehearsal.class, Rehearsal.class.getClassLoader())) {
                each.runQuietly(engine);
            }
        } catch (Throwable e) {
            // A module that cannot be loaded says so when it is used.
        }
    }

    private void runQuietly(String engine) {
        try {
            run(engine);
        } catch (Throwable e) {
            // What is missing for kernels is said when there are some; it is no concern of the others.
        }
    }
}
