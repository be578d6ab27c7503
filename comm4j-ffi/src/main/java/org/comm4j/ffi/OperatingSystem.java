// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The few calls of the operating system that processes need to share memory, sleep until another one wakes them, and
 * notice that another one died. One subclass per system; {@link Linux} is the only one so far.
 *
 * <p>Failed calls throw {@link OperatingSystemException} with the call's name and the system's own words.
 */
public abstract sealed class OperatingSystem permits Linux {

    OperatingSystem() {}

    private static final class Current {
        /**
         * Null if there is none: what a class throws while it is initialised comes as another exception the first time,
         * and as yet another one later.
         */
        static final @Nullable OperatingSystem INSTANCE = find();

        private static @Nullable OperatingSystem find() {
            try {
                return detect();
            } catch (UnsupportedOperationException | IllegalCallerException e) {
                return null;
            }
        }
    }

    /**
     * The system that this process runs on.
     *
     * @throws UnsupportedOperationException on a system without a subclass here
     * @throws IllegalCallerException if native access is not allowed
     */
    public static OperatingSystem current() {
        OperatingSystem found = Current.INSTANCE;
        return found != null ? found : detect();
    }

    private static OperatingSystem detect() {
        String name = System.getProperty("os.name", "");
        String arch = System.getProperty("os.arch", "");
        if (name.equals("Linux")) {
            NativeMemory.requireAccess();
            return new Linux(arch);
        }
        throw new UnsupportedOperationException(
                "comm4j's shared-memory engine runs on Linux, not on " + name + " " + arch);
    }

    // ---- shared memory ----

    /**
     * Creates a file that lives in memory and has no name anywhere, so that nothing can be left behind. Readable and
     * writable by its owner only; sparse: memory is taken when it is touched or {@linkplain #populate populated}.
     *
     * @param label appears in the system's memory maps
     * @return the file descriptor
     */
    public abstract int createSharedFile(String label, long bytes);

    /** The path by which other processes of the same user open the file behind a descriptor of this process. */
    public abstract String sharedPath(int descriptor);

    /**
     * Opens what {@link #sharedPath} names: a descriptor with locks of its own. The name may come from another process:
     * nothing but memory that {@link #createSharedFile} made for this same user is accepted.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public abstract int openSharedFile(String path);

    /** Maps the whole file for reading and writing, shared, until {@code arena} closes. */
    public final MemorySegment map(int descriptor, long bytes, Arena arena) {
        return map(descriptor, bytes, 1, arena);
    }

    /**
     * {@link #map(int, long, Arena)} at an address that is a multiple of {@code alignment}.
     *
     * @param alignment a power of two; so much address space more is needed meanwhile
     */
    public abstract MemorySegment map(int descriptor, long bytes, long alignment, Arena arena);

    /**
     * Takes memory for a mapped range now, on large pages where the system gives them; false if there is not enough.
     */
    public abstract boolean populate(MemorySegment range);

    /** Asks for large pages in a mapped range. */
    public abstract void adviseLargePages(MemorySegment range);

    /** Gives the memory of a range of a file back; it reads as zero afterwards. */
    public abstract void punchHole(int descriptor, long offset, long bytes);

    public abstract void closeFile(int descriptor);

    /**
     * Lets the system enlarge its table of this process's open files to {@code count} at once. It does so by itself, to
     * twice the size, when a file or socket is opened that the table has no room for; but whoever opens that one sleeps
     * 20 to 40 ms, where the process has threads: until all processors have seen the new table. This sleeps, too: it is
     * for a thread that has nothing else to do.
     *
     * @return false if the process may not have so many
     */
    public abstract boolean makeRoomForFiles(int count);

    /**
     * Bytes of memory that programs can still take without swapping, after this machine's and this container's limits.
     */
    public abstract long availableMemory();

    /** Bytes of memory that this machine has, or this container may use. */
    public abstract long totalMemory();

    // ---- liveness ----

    /**
     * Locks one byte of a file for this descriptor. The system releases the lock when the descriptor's process ends,
     * however it ends.
     *
     * @return false if another descriptor holds the lock
     */
    public abstract boolean lockByte(int descriptor, long offset);

    /** Whether another descriptor holds the lock of a byte. */
    public abstract boolean isByteLocked(int descriptor, long offset);

    // ---- what libraries read ----

    /**
     * Sets a variable of the environment as C code of this process sees it, which {@link System#getenv} does not: that
     * is a copy. C's environment may not be read meanwhile, so this is for the time before a library is first called.
     *
     * @param value null removes it
     */
    public abstract void setVariable(String name, @Nullable String value);

    /** A variable of the environment as C code of this process sees it; null if it is not set. */
    public abstract @Nullable String variable(String name);

    // ---- sleeping ----

    /** The longest sleep of {@link #sleepWhile}: how often a waiting rank looks around. */
    public static final int NAP_MILLIS = 50;

    /**
     * Sleeps while the int at {@code address} is {@code expected}, at most {@link #NAP_MILLIS}; may wake for no reason.
     * Allocates nothing.
     */
    public abstract void sleepWhile(long address, int expected);

    /** The processors that the calling thread may run on, by their numbers. */
    public abstract BitSet processors();

    /**
     * Confines the calling thread, and threads that it starts later, to the {@code part}-th of {@code parts} equal
     * shares of the processors that it may run on. Does nothing if there are fewer processors than parts.
     */
    public abstract void bindThread(int part, int parts);

    /** Wakes all that sleep on the int at {@code address}, in every process. */
    public abstract void wakeAll(long address);

    /**
     * Whether {@link #heavyBarrier} works. Where it does, a full memory barrier on the frequent side of a
     * "publish, then look whether somebody sleeps" protocol can be left out, because the sleeper pays for both.
     */
    public abstract boolean hasHeavyBarrier();

    /** Makes every running thread of all processes that use comm4j pass a full memory barrier. */
    public abstract void heavyBarrier();
}
