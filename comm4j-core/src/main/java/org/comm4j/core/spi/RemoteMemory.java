// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.lang.foreign.MemorySegment;
import java.util.ServiceLoader;
import java.util.StringJoiner;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;

/**
 * The service by which a module gives a rank access to the memory of others that its loads and stores do not reach,
 * because they are on other machines. Each rank offers one piece of its own memory, in which places are offsets in
 * bytes.
 */
public interface RemoteMemory {

    /** What a rank does with its own memory for others, and how its threads wait. */
    interface Owner {
        /**
         * Executes an atomic operation on this rank's memory.
         *
         * @param operation the number that the other rank has given
         * @param wide 64 bits, else 32
         * @return what was there
         */
        long atomic(int operation, boolean wide, long at, long value, long condition);

        /** Returns an object for the waits of one thread, one after the other. */
        Wait newWait();
    }

    /** The waits of one thread; {@link #once} in turns with a look at what is waited for. */
    interface Wait {
        /** Begins a wait of an operation for a rank. */
        void begin(String operation, int rank);

        /** Lets time pass; throws when the wait is in vain: the rank died, the limit has passed. */
        void once();

        /** Ends the wait: what was waited for has come. */
        void end();
    }

    /**
     * Access of a rank to the memory of others. Arguments are checked already. What a rank asks of another one is done
     * there in the order in which it was asked. Safe for use by several threads.
     *
     * <p>A wait ends as the {@link Owner} says; what was asked may then be done or not.
     */
    interface Access {
        /**
         * Copies a segment of native memory to the memory of a rank; the source may be used again when it returns.
         *
         * @param to where in the rank's memory, in bytes
         */
        void put(int rank, long to, MemorySegment source);

        /** Copies as {@link #put} does, and may read the source until {@link #quiet}. */
        void putLater(int rank, long to, MemorySegment source);

        /**
         * Fills a segment of native memory from the memory of a rank, and has done so when it returns.
         *
         * @param from where in the rank's memory, in bytes
         */
        void get(int rank, long from, MemorySegment destination);

        /** Copies as {@link #get} does, and may fill the destination until {@link #quiet}. */
        void getLater(int rank, long from, MemorySegment destination);

        /**
         * Has the other rank execute an atomic operation on its memory.
         *
         * @param operation a number for {@link Owner#atomic}
         * @param wide 64 bits, else 32
         * @param fetch whether to wait for the result
         * @return what was there; 0 if not {@code fetch}
         */
        long atomic(int rank, int operation, boolean wide, long at, long value, long condition, boolean fetch);

        /** Waits until all that this rank has asked before is done. */
        void quiet();

        /** Does what others want of this rank's memory now, without waiting. */
        void progress();

        /** Ends the access. After it this rank's memory is neither read nor written. */
        void close();
    }

    /** Returns the name that users write: {@code mpi}. */
    String name();

    /** Returns why it cannot be used in this process; null if nothing is known against it. */
    @Nullable
    String problem();

    /**
     * Collective: returns the access of this rank to the memory of all others.
     *
     * @param own this rank's piece, in native memory, which is there until {@link Access#close}
     */
    Access open(World world, MemorySegment own, Owner owner);

    /**
     * Finds the service of a name.
     *
     * @throws IllegalStateException if its module is not there
     */
    static RemoteMemory named(String name) {
        StringJoiner known = new StringJoiner(", ", "", "").setEmptyValue("none");
        for (RemoteMemory each : ServiceLoader.load(RemoteMemory.class, RemoteMemory.class.getClassLoader())) {
            if (each.name().equals(name)) {
                return each;
            }
            known.add(each.name());
        }
        throw new IllegalStateException("there is no access to the memory of other machines by '" + name
                + "' here: comm4j-" + name + " is not on the module path or class path; known: " + known);
    }
}
