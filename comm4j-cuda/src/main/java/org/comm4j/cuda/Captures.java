// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The captures that are under way on one GPU. The driver refuses to wait for a context one of whose streams is being
 * captured, and spoils the capture.
 */
final class Captures {
    private static final Map<Integer, Captures> BY_ORDINAL = new ConcurrentHashMap<>();

    /** Guarded by this object. */
    private int count;

    static Captures of(Device device) {
        return BY_ORDINAL.computeIfAbsent(device.ordinal(), _ -> new Captures());
    }

    synchronized void begin() {
        count++;
    }

    synchronized void end() {
        count--;
    }

    synchronized boolean areUnderWay() {
        return count > 0;
    }

    /** Makes a call during which no capture begins; returns false, without the call, while one is under way. */
    synchronized boolean tryOutside(Runnable call) {
        if (count > 0) {
            return false;
        }
        call.run();
        return true;
    }
}
