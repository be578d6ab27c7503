// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.spi.CheckedMode;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;
import org.jspecify.annotations.Nullable;

/** Comparison of what the PEs are about to call: all refuse what is not the same, and are in step afterwards. */
final class SameCalls {
    /** Bytes of a text. */
    private static final int ROOM = 2048;

    private final ShmemPe pe;
    private boolean checked = CheckedMode.ON;

    SameCalls(ShmemPe pe) {
        this.pe = pe;
    }

    void checked(boolean on) {
        checked = on;
    }

    /** Compares a call with those of the other PEs in checked mode, except while the stream is captured. */
    void check(String operation, String with, @Nullable Stream stream) {
        if (checked && (stream == null || !stream.isCapturing())) {
            compare(operation, operation + "(" + with + ")");
        }
    }

    /**
     * Collective: compares texts.
     *
     * @throws CollectiveMismatchException on all PEs if they differ, with who calls what
     */
    void compare(String operation, String mine) {
        Map<String, String> callers = new LinkedHashMap<>();
        String[] texts = pe.onGpu() ? ofGpus(mine) : ofProcesses(operation, mine);
        for (int rank = 0; rank < texts.length; rank++) {
            callers.merge(texts[rank], Integer.toString(rank), (a, b) -> a + ", " + b);
        }
        if (callers.size() > 1) {
            throw new CollectiveMismatchException(operation + " on PE " + pe.myPe() + " of " + pe.nPes()
                    + ": the PEs do not call the same: "
                    + callers.entrySet().stream()
                            .map(each -> (each.getValue().contains(",") ? "ranks " : "rank ") + each.getValue() + " "
                                    + each.getKey())
                            .collect(Collectors.joining("; ")));
        }
    }

    private String[] ofProcesses(String operation, String mine) {
        try (var words = pe.host().allocate(operation + " on PE " + pe.myPe(), DataType.INT8, ROOM)) {
            words.copyFrom(encoded(mine));
            pe.barrier();
            String[] all = new String[pe.nPes()];
            for (int i = 0; i < all.length; i++) {
                all[i] = pe.host().ptr(words, i).segment().getString(0);
            }
            pe.barrier();
            return all;
        }
    }

    private String[] ofGpus(String mine) {
        try (var words = pe.nvshmem().allocate(DataType.INT8, ROOM);
                var copy = pe.nvshmem().device().allocate(DataType.INT8, ROOM)) {
            words.copyFrom(encoded(mine));
            pe.barrier();
            String[] all = new String[pe.nPes()];
            for (int i = 0; i < all.length; i++) {
                pe.nvshmem().get(copy, words, i);
                all[i] = copy.toHost().segment().getString(0);
            }
            pe.barrier();
            return all;
        }
    }

    /** What does not fit is in a hash. */
    private static HostArray encoded(String text) {
        HostArray to = HostArray.allocate(DataType.INT8, ROOM);
        String hash = "... " + Integer.toHexString(text.hashCode());
        to.segment().setString(0, text.length() < ROOM ? text : text.substring(0, ROOM - 1 - hash.length()) + hash);
        return to;
    }
}
