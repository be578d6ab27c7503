// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.comm4j.core.contract.CloseStress;
import org.comm4j.core.contract.RanksRun;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.DynamicTest;

/** {@link RanksRun} on PEs of a machine. */
final class PesRun {
    /** Waits of PEs for each other; what takes longer hangs. */
    static final Duration WAIT = Duration.ofSeconds(30);

    private static final Duration LIMIT = Duration.ofMinutes(Boolean.getBoolean(EnduranceContract.PROPERTY) ? 60 : 20);

    private PesRun() {}

    /** The tests of the suites, each of which has run on so many PEs, or is skipped if there are not that many. */
    static Stream<DynamicTest> of(int pes, Machine machine, Class<?>... suites) {
        return of(pes, machine, List.of(), suites);
    }

    /**
     * The same with options of the PEs' virtual machines.
     *
     * @param options such as {@code -Dcomm4j.checked=true}
     */
    static Stream<DynamicTest> of(int pes, Machine machine, List<String> options, Class<?>... suites) {
        return of(pes, machine, options, Map.of(), suites);
    }

    /** The same in an environment of the PEs' own: what the library reads once in the life of a process. */
    static Stream<DynamicTest> of(
            int pes, Machine machine, List<String> options, Map<String, String> environment, Class<?>... suites) {
        machine.require(pes);
        Map<String, String> all = new HashMap<>(environment(machine));
        all.putAll(environment);
        List<String> jvm = new ArrayList<>(machine.jvmOptions());
        jvm.addAll(options);
        String stress = System.getProperty(CloseStress.SECONDS);
        if (stress != null) {
            jvm.add("-D" + CloseStress.SECONDS + "=" + stress);
        }
        return RanksRun.of(pes, jvm, all, LIMIT, suites);
    }

    /** A launcher of PEs, with what the machine's library needs in the environment. */
    static Launcher launcher(int pes, Machine machine, List<String> words) {
        Launcher launcher = Launcher.ranks(pes)
                .jvmOptions(machine.jvmOptions().toArray(String[]::new))
                .java(words.toArray(String[]::new));
        environment(machine).forEach(launcher::environment);
        return launcher;
    }

    private static Map<String, String> environment(Machine machine) {
        Map<String, String> environment = new HashMap<>();
        environment.put("COMM4J_TIMEOUT", Long.toString(WAIT.toSeconds()));
        if (!machine.simulated()) {
            // One host, whose fabric manager may not allow multicast.
            Map.of(
                            "NVSHMEM_DISABLE_NVLS",
                            "1",
                            "NVSHMEM_REMOTE_TRANSPORT",
                            "none",
                            "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME",
                            "lo")
                    .forEach((name, value) ->
                            environment.put(name, System.getenv().getOrDefault(name, value)));
        }
        return environment;
    }
}
