// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.comm4j.core.World;
import org.comm4j.ffi.OperatingSystem;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables that NVSHMEM reads when it is initialised. They are set in the C library's environment,
 * which is not the copy that Java has, and put back when NVSHMEM ends, so that the next initialisation starts from the
 * user's.
 */
final class Environment {
    /** What the first initialisation of this process set. */
    private static final AtomicReference<@Nullable Map<String, String>> FIRST = new AtomicReference<>();

    private final OperatingSystem system = OperatingSystem.current();
    /** What was there before. */
    private final Map<String, @Nullable String> before = new HashMap<>();

    private Environment() {}

    /** Sets what the options say, and what suits a Java process unless the user has set it himself. */
    static Environment enter(World world, NvshmemOptions options) {
        Environment environment = new Environment();
        // Versions from 3.7 on would leave the process a few processors, the garbage collector's threads included.
        environment.suggest("NVSHMEM_CPU_AFFINITY", "OFF");
        if (world.localSize() == world.size()) {
            // The processes meet at a socket; nobody outside of this machine needs to reach it.
            environment.suggest("NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo");
        }
        options.variables().forEach(environment::set);
        return environment;
    }

    /** The library is about to read them. */
    void settled(NvshmemOptions options) {
        Map<String, String> first = FIRST.compareAndExchange(null, options.variables());
        if (first != null && !first.entrySet().containsAll(options.variables().entrySet())) {
            Session.log().log(
                    Level.WARNING,
                    "NVSHMEM reads its settings once in the life of a process: " + options
                            + " comes too late, it was initialised with " + first);
        }
    }

    private void suggest(String name, String value) {
        if (system.variable(name) == null) {
            set(name, value);
        }
    }

    private void set(String name, String value) {
        String old = system.variable(name);
        before.putIfAbsent(name, old);
        system.setVariable(name, value);
    }

    /** Puts back what was there. */
    void leave() {
        before.forEach(system::setVariable);
    }
}
