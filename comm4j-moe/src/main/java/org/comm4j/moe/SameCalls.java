// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.spi.CheckedMode;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/** Comparison of what the PEs are about to call: all refuse what is not the same, and are in step afterwards. */
final class SameCalls {
    private final MoeSite pe;
    private final Members members;
    private boolean checked = CheckedMode.ON;
    private Duration limit;

    SameCalls(MoeSite pe, Members members, Duration limit) {
        this.pe = pe;
        this.members = members;
        this.limit = limit;
    }

    void checked(boolean on) {
        checked = on;
    }

    /** Sets how long others are waited for. */
    void limit(Duration limit) {
        this.limit = limit;
    }

    /** Compares a call with those of the other PEs in checked mode, except while the stream is captured. */
    void check(String operation, String with, @Nullable Stream stream) {
        if (checked && (stream == null || !stream.isCapturing())) {
            compare(operation, operation + "(" + with + ")");
        }
    }

    /** Compares calls of a slot in the same way. */
    void check(String operation, int slot, @Nullable Stream stream) {
        if (checked) {
            check(operation, "slot " + slot, stream);
        }
    }

    /**
     * Collective: compares texts.
     *
     * @throws CollectiveMismatchException on all PEs if they differ, with who calls what
     */
    void compare(String operation, String mine) {
        Map<String, String> callers = new LinkedHashMap<>();
        members.exchange(operation, mine, limit)
                .forEach((rank, text) -> callers.merge(text, Integer.toString(rank), (a, b) -> a + ", " + b));
        if (callers.size() > 1) {
            throw new CollectiveMismatchException(operation + " on PE " + pe.myPe() + " of " + pe.nPes()
                    + ": the PEs do not call the same: "
                    + callers.entrySet().stream()
                            .map(each -> (each.getValue().contains(",") ? "ranks " : "rank ") + each.getValue() + " "
                                    + each.getKey())
                            .collect(Collectors.joining("; ")));
        }
    }

    /** Collective: waits until all members call it, and what each has launched without a stream is done. */
    void meet(String operation, MoeMachine machine) {
        machine.complete(null);
        if (members.isComplete()) {
            machine.barrier();
        } else {
            compare(operation, "waits in " + operation);
        }
    }
}
