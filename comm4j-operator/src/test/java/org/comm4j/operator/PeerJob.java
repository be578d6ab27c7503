// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.PeerAccess;
import org.comm4j.cuda.PeerMemory;

/** Ranks that are threads and reach each other's memory, as GPUs do by NVSHMEM: what they share. */
public final class PeerJob {
    private final List<List<Buffer>> memories = new ArrayList<>();
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();
    private final int[] made;

    /** Makes a job of so many ranks. */
    public PeerJob(int ranks) {
        made = new int[ranks];
    }

    private synchronized PeerMemory memory(int rank, long count) {
        int number = made[rank]++;
        if (number == memories.size()) {
            List<Buffer> parts = new ArrayList<>();
            for (int each = 0; each < made.length; each++) {
                parts.add(HostArray.allocate(DataType.INT64, count));
            }
            memories.add(parts);
        }
        HostArray report = HostArray.allocate(DataType.INT64, 1);
        return new PeerMemory(
                rank,
                memories.get(number),
                report,
                Duration.ofSeconds(60),
                missing -> new CommTimeoutException("no numbers of rank " + missing));
    }

    /** Returns a communicator with such memory whose calls are counted. */
    public Communicator peers(Communicator inner) {
        Class<?>[] types = {Communicator.class, PeerAccess.class};
        return (Communicator) Proxy.newProxyInstance(PeerJob.class.getClassLoader(), types, (_, method, arguments) -> {
            if (method.getName().equals("peerMemory")) {
                return memory(inner.rank(), (long) arguments[0]);
            }
            calls.merge(method.getName(), 1, Integer::sum);
            try {
                return method.invoke(inner, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    /** Returns how often the ranks have called a method of their communicators. */
    public int calls(String method) {
        return calls.getOrDefault(method, 0);
    }
}
