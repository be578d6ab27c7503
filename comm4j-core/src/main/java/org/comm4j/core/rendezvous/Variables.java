// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.core.spi.Suggestion;

/**
 * The environment variables that comm4j reads. One that merely looks like one of them is a mistake that nothing else
 * would show.
 */
public final class Variables {
    private static final String PREFIX = "COMM4J_";

    /** For the project's own tests. */
    private static final String TESTS = "COMM4J_TEST_";

    /** All of them, whichever module or script reads them. */
    public static final Set<String> ALL = Set.of(
            Job.RANK,
            Job.SIZE,
            Job.LOCAL_RANK,
            Job.LOCAL_SIZE,
            Job.RENDEZVOUS,
            Job.RENDEZVOUS_DIR,
            Job.TOKEN,
            Job.LAUNCHER,
            Job.TIMEOUT,
            Job.JOIN_TIMEOUT,
            "COMM4J_BIND",
            "COMM4J_CHECKED",
            "COMM4J_ENGINE",
            "COMM4J_HEAP_SIZE",
            "COMM4J_JAVA_OPTS",
            "COMM4J_JDK_PATH",
            "COMM4J_MPI",
            "COMM4J_MPI_WAIT",
            "COMM4J_KERNEL_CPU",
            "COMM4J_QUIET",
            "COMM4J_SHMEM",
            "COMM4J_TERMINAL");

    private Variables() {}

    /** Returns a line for each variable that nothing reads. */
    public static List<String> complaints(Map<String, String> environment) {
        List<String> lines = new ArrayList<>();
        for (String name : environment.keySet()) {
            if (name.startsWith(PREFIX) && !name.startsWith(TESTS) && !ALL.contains(name)) {
                lines.add(name + " is not a variable that comm4j reads" + Suggestion.of(name, ALL));
            }
        }
        return lines;
    }
}
