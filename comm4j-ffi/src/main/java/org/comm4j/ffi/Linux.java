// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Linux, on any processor; constants are those of its public headers. */
@SuppressWarnings("restricted") // calling the C library is what this class is for
final class Linux extends OperatingSystem {
    /** What {@link #sharedPath} gives. */
    private static final Pattern DESCRIPTOR = Pattern.compile("/proc/(\\d+|self)/fd/\\d+");

    private static final int MFD_CLOEXEC = 1;
    private static final int O_RDWR = 2;
    private static final int O_CLOEXEC = 0x80000;
    private static final int PROT_NONE = 0;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_FIXED = 0x10;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int MADV_HUGEPAGE = 14;
    private static final int MADV_POPULATE_WRITE = 23;
    private static final int FALLOC_FL_KEEP_SIZE_PUNCH_HOLE = 3;
    private static final int EFD_CLOEXEC = O_CLOEXEC;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int F_OFD_GETLK = 36;
    private static final int F_OFD_SETLK = 37;
    private static final short F_WRLCK = 1;
    private static final short F_UNLCK = 2;
    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;
    private static final int MEMBARRIER_GLOBAL_EXPEDITED = 2;
    private static final int MEMBARRIER_REGISTER_GLOBAL_EXPEDITED = 4;
    private static final int SC_PAGESIZE = 30;
    /** Room for 8192 processors. */
    private static final long PROCESSOR_SET_BYTES = 1024;

    private static final int EAGAIN = 11;
    private static final int EACCES = 13;
    private static final int EINVAL = 22;

    /** {@code struct flock} of 64-bit Linux. */
    private static final MemoryLayout FLOCK = MemoryLayout.structLayout(
            JAVA_SHORT.withName("type"),
            JAVA_SHORT.withName("whence"),
            MemoryLayout.paddingLayout(4),
            JAVA_LONG.withName("start"),
            JAVA_LONG.withName("length"),
            JAVA_INT.withName("pid"),
            MemoryLayout.paddingLayout(4));

    private static final long FLOCK_START = FLOCK.byteOffset(PathElement.groupElement("start"));
    private static final long FLOCK_LENGTH = FLOCK.byteOffset(PathElement.groupElement("length"));

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final VarHandle ERRNO_VALUE =
            Linker.Option.captureStateLayout().varHandle(PathElement.groupElement("errno"));

    private static final MethodHandle SETENV = checked("setenv", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
    private static final MethodHandle UNSETENV = checked("unsetenv", JAVA_INT, ADDRESS);
    private static final MethodHandle GETENV = handle("getenv", FunctionDescriptor.of(ADDRESS, ADDRESS));
    private static final MethodHandle CLOSE = checked("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle STRERROR = handle(
            "strerror",
            FunctionDescriptor.of(ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(256, JAVA_BYTE)), JAVA_INT));
    /**
     * What memory shared by processes needs. Linking a function takes a millisecond or more, and most programs that
     * only set a variable, as the engines of GPUs do, need none of these.
     */
    private static final class Sharing {
        static final MethodHandle MEMFD_CREATE = checked("memfd_create", JAVA_INT, ADDRESS, JAVA_INT);
        static final MethodHandle FCHMOD = checked("fchmod", JAVA_INT, JAVA_INT, JAVA_INT);
        static final MethodHandle FTRUNCATE = checked("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
        static final MethodHandle OPEN = handle(
                "open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), ERRNO, Linker.Option.firstVariadicArg(2));
        static final MethodHandle MMAP =
                checked("mmap", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
        static final MethodHandle MUNMAP = checked("munmap", JAVA_INT, ADDRESS, JAVA_LONG);
        static final MethodHandle MADVISE = checked("madvise", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
        static final MethodHandle FALLOCATE = checked("fallocate", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle FCNTL = handle(
                "fcntl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS),
                ERRNO,
                Linker.Option.firstVariadicArg(2));
        static final MethodHandle GET_AFFINITY = checked("sched_getaffinity", JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
        static final MethodHandle SET_AFFINITY = checked("sched_setaffinity", JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
        static final MethodHandle FUTEX = handle(
                "syscall",
                FunctionDescriptor.of(
                        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        static final MethodHandle MEMBARRIER = handle(
                "syscall",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                Linker.Option.firstVariadicArg(1));

        /** A {@code struct timespec} of {@link #NAP_MILLIS}. */
        static final MemorySegment NAP = Arena.global().allocate(16, 8);

        static {
            NAP.set(JAVA_LONG, 8, NAP_MILLIS * 1_000_000L);
        }

        static final long PAGE_BYTES = pageBytes();

        /** Whoever shares memory takes part in the heavy barriers of others, if there are any. */
        static final boolean HEAVY_BARRIER = ((Linux) current()).membarrier(MEMBARRIER_REGISTER_GLOBAL_EXPEDITED) == 0;
    }

    private static final class Room {
        static final MethodHandle EVENTFD = checked("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
        static final MethodHandle FCNTL = handle(
                "fcntl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                ERRNO,
                Linker.Option.firstVariadicArg(2));
    }

    private final long futexNumber;
    private final long membarrierNumber;

    Linux(String arch) {
        switch (arch) {
            case "amd64" -> {
                futexNumber = 202;
                membarrierNumber = 324;
            }
            case "aarch64", "riscv64" -> {
                futexNumber = 98;
                membarrierNumber = 283;
            }
            default ->
                throw new UnsupportedOperationException(
                        "comm4j knows the system calls of Linux on amd64, aarch64" + " and riscv64, not on " + arch);
        }
    }

    private static long pageBytes() {
        try {
            return (long) handle("sysconf", FunctionDescriptor.of(JAVA_LONG, JAVA_INT))
                    .invokeExact(SC_PAGESIZE);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    private static MethodHandle checked(String name, MemoryLayout result, MemoryLayout... arguments) {
        return handle(name, FunctionDescriptor.of(result, arguments), ERRNO);
    }

    private static MethodHandle handle(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
    }

    /** None of the calls throws: a Throwable here is a mistake in this class. */
    private static AssertionError impossible(Throwable cause) {
        return new AssertionError("a call into the C library threw", cause);
    }

    private static OperatingSystemException failure(String call, MemorySegment state) {
        int error = (int) ERRNO_VALUE.get(state, 0L);
        return new OperatingSystemException(call, error, words(error));
    }

    private static String words(int error) {
        try {
            return ((MemorySegment) STRERROR.invokeExact(error)).getString(0);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** A piece of code around a call that reports errors in {@code errno}. */
    private interface NativeCall<T> {
        /** @param state where the call leaves {@code errno} */
        T run(Arena arena, MemorySegment state) throws Throwable;
    }

    private static <T> T call(NativeCall<T> body) {
        try (Arena arena = Arena.ofConfined()) {
            return body.run(arena, arena.allocate(Linker.Option.captureStateLayout()));
        } catch (OperatingSystemException e) {
            throw e;
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    // ---- shared memory ----

    @Override
    public int createSharedFile(String label, long bytes) {
        return call((arena, state) -> {
            int descriptor = (int) Sharing.MEMFD_CREATE.invokeExact(state, arena.allocateFrom(label), MFD_CLOEXEC);
            if (descriptor < 0) {
                throw failure("memfd_create", state);
            }
            if ((int) Sharing.FCHMOD.invokeExact(state, descriptor, 0600) != 0
                    || (int) Sharing.FTRUNCATE.invokeExact(state, descriptor, bytes) != 0) {
                OperatingSystemException failure = failure("ftruncate of shared memory to " + bytes + " bytes", state);
                closeFile(descriptor);
                throw failure;
            }
            return descriptor;
        });
    }

    @Override
    public String sharedPath(int descriptor) {
        return "/proc/" + ProcessHandle.current().pid() + "/fd/" + descriptor;
    }

    @Override
    public int openSharedFile(String path) {
        if (!DESCRIPTOR.matcher(path).matches()) {
            throw new IllegalArgumentException(path + " is not the name of a process's open file");
        }
        int descriptor = call((arena, state) -> {
            int opened = (int) Sharing.OPEN.invokeExact(state, arena.allocateFrom(path), O_RDWR | O_CLOEXEC);
            if (opened < 0) {
                throw failure("open of " + path, state);
            }
            return opened;
        });
        try {
            checkNameless(path, Path.of("/proc/self/fd/" + descriptor));
            return descriptor;
        } catch (IllegalArgumentException e) {
            closeFile(descriptor);
            throw e;
        }
    }

    /** Looks at what was opened, which nobody can exchange any more. */
    private static void checkNameless(String path, Path opened) {
        try {
            // The kernel's word for it; no file of a disk has such a name, unless in the root folder.
            String name = Files.readSymbolicLink(opened).toString();
            int owner = (int) Files.getAttribute(opened, "unix:uid");
            int mine = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            if (!name.startsWith("/memfd:")
                    || (int) Files.getAttribute(opened, "unix:nlink") != 0
                    || !Files.isRegularFile(opened)) {
                throw new IllegalArgumentException(path + " is " + name + ", not shared memory without a name");
            }
            if (owner != mine) {
                throw new IllegalArgumentException(
                        path + " is memory of the user " + owner + ", not of this process's, " + mine);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("what " + path + " is cannot be found out: " + e, e);
        }
    }

    @Override
    public MemorySegment map(int descriptor, long bytes, long alignment, Arena arena) {
        int flags = MAP_SHARED | MAP_NORESERVE;
        if (alignment <= Sharing.PAGE_BYTES) {
            return map(MemorySegment.NULL, bytes, PROT_READ_WRITE, flags, descriptor)
                    .reinterpret(bytes, arena, Linux::unmap);
        }
        // Room for any place: the file takes the right one, and what is around goes back.
        MemorySegment room = map(
                        MemorySegment.NULL,
                        bytes + alignment,
                        PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                        -1)
                .reinterpret(bytes + alignment);
        long start = -room.address() & alignment - 1;
        try {
            map(room.asSlice(start), bytes, PROT_READ_WRITE, flags | MAP_FIXED, descriptor);
        } catch (OperatingSystemException e) {
            unmap(room);
            throw e;
        }
        long end = start + bytes + Sharing.PAGE_BYTES - 1 & -Sharing.PAGE_BYTES;
        if (start > 0) {
            unmap(room.asSlice(0, start));
        }
        if (end < room.byteSize()) {
            unmap(room.asSlice(end));
        }
        return MemorySegment.ofAddress(room.address() + start).reinterpret(bytes, arena, Linux::unmap);
    }

    private static MemorySegment map(MemorySegment at, long bytes, int protection, int flags, int descriptor) {
        return call((local, state) -> {
            MemorySegment address =
                    (MemorySegment) Sharing.MMAP.invokeExact(state, at, bytes, protection, flags, descriptor, 0L);
            if (address.address() == -1) {
                throw failure("mmap of " + bytes + " bytes of shared memory", state);
            }
            return address;
        });
    }

    private static void unmap(MemorySegment mapped) {
        check("munmap", state -> (int) Sharing.MUNMAP.invokeExact(state, mapped, mapped.byteSize()));
    }

    @Override
    public boolean populate(MemorySegment range) {
        MemorySegment pages = wholePages(range);
        return call((arena, state) ->
                // Kernels before 5.14 do not know the request: there memory is taken at the first touch.
                (int) Sharing.MADVISE.invokeExact(state, pages, pages.byteSize(), MADV_POPULATE_WRITE) == 0
                        || (int) ERRNO_VALUE.get(state, 0L) == EINVAL);
    }

    @Override
    public void adviseLargePages(MemorySegment range) {
        MemorySegment pages = wholePages(range);
        // Advice: a system without large pages refuses it and works all the same.
        int ignored = call(
                (arena, state) -> (int) Sharing.MADVISE.invokeExact(state, pages, pages.byteSize(), MADV_HUGEPAGE));
    }

    private static MemorySegment wholePages(MemorySegment range) {
        long page = Sharing.PAGE_BYTES;
        long first = range.address() & -page;
        long end = range.address() + range.byteSize() + page - 1 & -page;
        return MemorySegment.ofAddress(first).reinterpret(end - first);
    }

    @Override
    public void punchHole(int descriptor, long offset, long bytes) {
        check("fallocate(PUNCH_HOLE)", state ->
                (int) Sharing.FALLOCATE.invokeExact(state, descriptor, FALLOC_FL_KEEP_SIZE_PUNCH_HOLE, offset, bytes));
    }

    @Override
    public void closeFile(int descriptor) {
        check("close", state -> (int) CLOSE.invokeExact(state, descriptor));
    }

    @Override
    public boolean makeRoomForFiles(int count) {
        return call((arena, state) -> {
            int any = (int) Room.EVENTFD.invokeExact(state, 0, EFD_CLOEXEC);
            if (any < 0) {
                return false;
            }
            // The lowest free one from there on: the table then reaches so far, and does not shrink again.
            int last = (int) Room.FCNTL.invokeExact(state, any, F_DUPFD_CLOEXEC, count - 1);
            if (last >= 0) {
                closeFile(last);
            }
            closeFile(any);
            return last >= 0;
        });
    }

    private interface StatusCall {
        int run(MemorySegment state) throws Throwable;
    }

    private static void check(String name, StatusCall body) {
        boolean ignored = call((arena, state) -> {
            if (body.run(state) != 0) {
                throw failure(name, state);
            }
            return true;
        });
    }

    @Override
    public long availableMemory() {
        long machine = firstNumber(Path.of("/proc/meminfo"), "MemAvailable:", Long.MAX_VALUE / 1024) * 1024;
        long limit = firstNumber(Path.of("/sys/fs/cgroup/memory.max"), "", Long.MAX_VALUE);
        long used = firstNumber(Path.of("/sys/fs/cgroup/memory.current"), "", 0);
        return Math.min(machine, Math.max(0, limit - used));
    }

    @Override
    public long totalMemory() {
        long machine = firstNumber(Path.of("/proc/meminfo"), "MemTotal:", Long.MAX_VALUE / 1024) * 1024;
        return Math.min(machine, firstNumber(Path.of("/sys/fs/cgroup/memory.max"), "", Long.MAX_VALUE));
    }

    /** The first number after {@code label} in a small file of the kernel, else {@code absent}. */
    private static long firstNumber(Path file, String label, long absent) {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(label))
                    .flatMap(line ->
                            Arrays.stream(line.substring(label.length()).trim().split(" ", 2)))
                    .filter(word -> word.matches("\\d{1,18}"))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(absent);
        } catch (IOException e) {
            return absent;
        }
    }

    // ---- liveness ----

    @Override
    public boolean lockByte(int descriptor, long offset) {
        return lock(descriptor, F_OFD_SETLK, offset) != F_WRLCK;
    }

    @Override
    public boolean isByteLocked(int descriptor, long offset) {
        return lock(descriptor, F_OFD_GETLK, offset) == F_WRLCK;
    }

    /** After GETLK: the lock that stands in the way, or F_UNLCK. After SETLK: F_WRLCK if somebody else has the lock. */
    private static short lock(int descriptor, int command, long offset) {
        return call((arena, state) -> {
            MemorySegment lock = arena.allocate(FLOCK);
            lock.set(JAVA_SHORT, 0, F_WRLCK);
            lock.set(JAVA_LONG, FLOCK_START, offset);
            lock.set(JAVA_LONG, FLOCK_LENGTH, 1);
            int result = (int) Sharing.FCNTL.invokeExact(state, descriptor, command, lock);
            if (result == 0) {
                return command == F_OFD_GETLK ? lock.get(JAVA_SHORT, 0) : F_UNLCK;
            }
            int error = (int) ERRNO_VALUE.get(state, 0L);
            if (command == F_OFD_SETLK && (error == EAGAIN || error == EACCES)) {
                return F_WRLCK;
            }
            throw failure("fcntl lock", state);
        });
    }

    // ---- sleeping ----

    @Override
    public void sleepWhile(long address, int expected) {
        try {
            // Every outcome (woken, value changed, interrupted, time over) means the same: look again.
            long ignored = (long) Sharing.FUTEX.invokeExact(
                    futexNumber, address, (long) FUTEX_WAIT, (long) expected, Sharing.NAP, 0L, 0L);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    @Override
    public BitSet processors() {
        return call(Linux::processors);
    }

    private static BitSet processors(Arena arena, MemorySegment state) throws Throwable {
        MemorySegment mask = arena.allocate(PROCESSOR_SET_BYTES, 8);
        if ((int) Sharing.GET_AFFINITY.invokeExact(state, 0, PROCESSOR_SET_BYTES, mask) != 0) {
            throw failure("sched_getaffinity", state);
        }
        return BitSet.valueOf(mask.toArray(JAVA_BYTE));
    }

    @Override
    public void bindThread(int part, int parts) {
        boolean ignored = call((arena, state) -> {
            BitSet processors = processors(arena, state);
            int share = processors.cardinality() / parts;
            if (share == 0) {
                return false;
            }
            int[] mine =
                    processors.stream().skip((long) part * share).limit(share).toArray();
            MemorySegment mask = arena.allocate(PROCESSOR_SET_BYTES, 8);
            for (int processor : mine) {
                long place = processor / 8;
                mask.set(JAVA_BYTE, place, (byte) (mask.get(JAVA_BYTE, place) | 1 << processor % 8));
            }
            if ((int) Sharing.SET_AFFINITY.invokeExact(state, 0, PROCESSOR_SET_BYTES, mask) != 0) {
                throw failure("sched_setaffinity", state);
            }
            return true;
        });
    }

    @Override
    public void setVariable(String name, @Nullable String value) {
        boolean ignored = call((arena, state) -> {
            MemorySegment key = arena.allocateFrom(name);
            int status = value == null
                    ? (int) UNSETENV.invokeExact(state, key)
                    : (int) SETENV.invokeExact(state, key, arena.allocateFrom(value), 1);
            if (status != 0) {
                throw failure(value == null ? "unsetenv" : "setenv", state);
            }
            return true;
        });
    }

    @Override
    public @Nullable String variable(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return NativeMemory.string(((MemorySegment) GETENV.invokeExact(arena.allocateFrom(name))).address());
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    @Override
    public void wakeAll(long address) {
        try {
            long ignored = (long) Sharing.FUTEX.invokeExact(
                    futexNumber, address, (long) FUTEX_WAKE, (long) Integer.MAX_VALUE, MemorySegment.NULL, 0L, 0L);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    @Override
    public boolean hasHeavyBarrier() {
        return Sharing.HEAVY_BARRIER;
    }

    @Override
    public void heavyBarrier() {
        if (membarrier(MEMBARRIER_GLOBAL_EXPEDITED) != 0) {
            throw new IllegalStateException("membarrier was there at the start and fails now");
        }
    }

    private long membarrier(int command) {
        try {
            return (long) Sharing.MEMBARRIER.invokeExact(membarrierNumber, (long) command, 0L, 0L);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }
}
