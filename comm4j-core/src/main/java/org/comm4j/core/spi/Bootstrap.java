// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;

/**
 * The service by which a module brings the processes of a job together before there is a {@link World}. {@link
 * World#join()} uses it when the job spans machines and nobody has named a rendezvous, and when the environment does
 * not say how many processes there are; on one machine it is left alone.
 */
public interface Bootstrap {

    /** The processes of a job, once they have met; one object in each of them. */
    interface Group {

        /** Returns this process's number, from 0 to {@link #size()} − 1. */
        int rank();

        /** Returns how many processes there are. */
        int size();

        /**
         * Collective: gives each process's bytes to all.
         *
         * @param mine at most 64 KiB; the lengths may differ
         * @return in the order of ranks
         */
        List<byte[]> exchange(byte[] mine);

        /** Returns what brought them together, for messages: a library's name, version and file. */
        String description();

        /**
         * Hears that the world is about to be closed on this rank; all its methods are still in use. Not collective:
         * whoever needs the other ranks at the end waits for them here, or in a thread of its own.
         */
        void leaving(World world);
    }

    /** Returns the name for messages: {@code mpi}. */
    String name();

    /**
     * Returns why the processes that these variables speak of cannot be brought together by this service; null if they
     * perhaps can. Loads no library.
     */
    @Nullable
    String problem(Map<String, String> environment);

    /**
     * Collective: returns when all processes of the job have called it. A process calls it once.
     *
     * @param patience for what can be limited
     * @throws org.comm4j.core.RendezvousException if they cannot meet; it says what to do
     */
    Group meet(Map<String, String> environment, Duration patience);

    /** The services among the modules at hand. */
    static List<Bootstrap> all() {
        return ServiceLoader.load(Bootstrap.class, Bootstrap.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
