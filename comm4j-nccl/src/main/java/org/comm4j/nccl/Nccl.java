// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.core.spi.Peers;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Recorded;
import org.comm4j.ffi.NativeAccess;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.handle.NcclWindow;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.ffi.nccl.NcclSimInfo;
import org.jspecify.annotations.Nullable;

/**
 * NCCL: communicators of GPUs. Three ways to drive them:
 *
 * <ul>
 *   <li>a process for each GPU, or a thread for each GPU: {@link #communicator(World, Device)} in each;
 *   <li>one thread for all: {@link #initAll}, and {@link #group} for every collective;
 *   <li>by hand, with ids that the program carries around: {@link #communicator(Device, int, int, List, CommConfig,
 *   Duration)}.
 * </ul>
 */
public final class Nccl {
    private static final String KEY = "org.comm4j.nccl";

    /** The ranks of an id: more ranks than this meet faster by several ids. */
    private static final int RANKS_OF_AN_ID = 512;

    /** A century: an exchange has a limit, and computes with it. */
    private static final long FOREVER = Duration.ofDays(36_500).toNanos();

    private static final int SIMULATION_MAGIC = 0x74685283;

    /** What tells apart communicators whose ranks share no id. */
    private static final AtomicLong SERIAL = new AtomicLong();

    private Nccl() {}

    /** Returns the loaded NCCL's version. */
    public static NcclVersion version() {
        return NcclVersion.of(Library.version());
    }

    /** Returns the file from which NCCL was loaded. */
    public static Path file() {
        // Loads it, or says why not.
        Library.version();
        return Objects.requireNonNull(LibNccl.library().file());
    }

    /** Returns why NCCL cannot be used in this process; null if it can. Names every place that was looked at. */
    public static @Nullable String problem() {
        try {
            if (!LibNccl.library().isPresent()) {
                return LibNccl.library().problem();
            }
            Library.version();
            String cuda = Cuda.problem();
            if (cuda != null) {
                return cuda;
            }
            return Cuda.deviceCount() == 0 ? "there is no GPU" : null;
        } catch (IllegalCallerException e) {
            return "native access is not allowed; start java with --enable-native-access=org.comm4j.ffi (or ALL-UNNAMED"
                    + " where comm4j is on the class path)";
        } catch (NativeCallException | UnsupportedOperationException | CommException e) {
            return e.getMessage();
        }
    }

    // ---- settings of the process ----

    /**
     * NCCL's parameters as they stand, by their environment variables' names ({@code ncclParamGetParameter}; NCCL
     * 2.30.4). NCCL publishes a few of them only, unless {@code NCCL_PARAM_DUMP_ALL} is set.
     */
    public static Map<String, String> parameters() {
        return NcclParameter.texts();
    }

    /**
     * One of NCCL's parameters, published or not ({@code ncclParamBind}; NCCL 2.30.4).
     *
     * @param key its environment variable, such as {@code NCCL_DEBUG}
     * @throws IllegalArgumentException if NCCL has no such parameter
     */
    public static NcclParameter parameter(String key) {
        nonNull(key, "parameter", "key");
        return NcclParameter.of(key);
    }

    /**
     * Has NCCL write its {@link #parameters} with their types, defaults, sources and what they mean to C's standard
     * output ({@code ncclParamDumpAll}; NCCL 2.30.4).
     */
    public static void printParameters() {
        LibNccl.ncclParamDumpAll();
    }

    /**
     * Encrypts what NCCL sends over sockets, for all communicators that this process makes from now on, or no longer
     * ({@code ncclSetEncryption}; NCCL 2.32.3). All processes do the same, before their first communicator. Libraries
     * that were built without TLS accept it here and fail to connect later.
     *
     * @param key the key that the processes share, at least 32 bytes in UTF-8 and without a zero; null for plain text
     */
    public static void encryption(@Nullable String key) {
        Encryption.set(key);
    }

    // ---- communicators ----

    /**
     * Collective over {@code world}: a communicator of all its ranks, each with a GPU of its own; waits at most {@link
     * World#timeout()}.
     */
    public static NcclCommunicator communicator(World world, Device device) {
        nonNull(world, "communicator", "world");
        nonNull(device, "communicator", "device");
        return communicator(world, device, CommConfig.DEFAULT);
    }

    /** {@link #communicator(World, Device)} with a configuration, the same on all ranks but for the name. */
    public static NcclCommunicator communicator(World world, Device device, CommConfig config) {
        nonNull(world, "communicator", "world");
        nonNull(device, "communicator", "device");
        return communicator(world, device, config, world.timeout());
    }

    /**
     * {@link #communicator(World, Device, CommConfig)} with a limit.
     *
     * @throws org.comm4j.core.CommTimeoutException if not all ranks have come after {@code timeout}; {@link
     *     Duration#ZERO} for no limit
     * @throws org.comm4j.core.RankFailedException if a rank died
     */
    public static NcclCommunicator communicator(World world, Device device, CommConfig config, Duration timeout) {
        nonNull(world, "communicator", "world");
        nonNull(device, "communicator", "device");
        checkConfig("communicator on rank " + world.rank() + " of " + world.size(), config);
        Recorded.checkNotRecording("communicator", "rank " + world.rank() + " of " + world.size());
        long limit = nanos("communicator", world.rank(), world.size(), timeout);
        long start = System.nanoTime();
        int ids = 1 + (world.size() - 1) / RANKS_OF_AN_ID;
        // The ranks that make an id are spread over the world.
        boolean makesOne = (long) world.rank() * ids % world.size() < ids;
        byte[] mine = makesOne ? UniqueId.create().toBytes() : new byte[0];
        long host = Farewell.host();
        ByteBuffer card = ByteBuffer.allocate(Integer.BYTES + Long.BYTES + mine.length);
        card.putInt(Library.version()).putLong(host).put(mine);
        List<byte[]> cards =
                world.exchange(KEY, card.array(), limit == 0 || limit > FOREVER ? Duration.ofNanos(FOREVER) : timeout);
        checkVersions(cards);
        BitSet near = new BitSet();
        List<UniqueId> all = new ArrayList<>();
        for (int r = 0; r < cards.size(); r++) {
            ByteBuffer each = ByteBuffer.wrap(cards.get(r)).position(Integer.BYTES);
            near.set(r, each.getLong() == host);
            if (each.hasRemaining() && all.size() < ids) {
                byte[] id = new byte[UniqueId.BYTES];
                each.get(id);
                all.add(UniqueId.of(id));
            }
        }
        long left = limit == 0 ? 0 : Math.max(1, limit - (System.nanoTime() - start));
        return init(device, world.size(), world.rank(), all, config, Peers.all(world, near), left);
    }

    private static void checkVersions(List<byte[]> cards) {
        TreeMap<Integer, List<Integer>> ranks = new TreeMap<>();
        for (int r = 0; r < cards.size(); r++) {
            ranks.computeIfAbsent(ByteBuffer.wrap(cards.get(r)).getInt(), v -> new ArrayList<>())
                    .add(r);
        }
        if (ranks.size() > 1) {
            StringBuilder text = new StringBuilder("the ranks have loaded different versions of NCCL:");
            ranks.forEach((version, who) -> text.append(' ')
                    .append(NcclVersion.of(version))
                    .append(" on ranks ")
                    .append(who));
            throw new CommException(text.toString());
        }
    }

    /**
     * Collective: a communicator of {@code size} ranks that have the same {@code ids} in the same order
     * ({@code ncclCommInitRankScalable}). One id is enough; more make the start of thousands of ranks faster.
     *
     * @param timeout the limit; {@link Duration#ZERO} for none
     */
    public static NcclCommunicator communicator(
            Device device, int size, int rank, List<UniqueId> ids, CommConfig config, Duration timeout) {
        nonNull(device, "communicator", "device");
        nonNull(ids, "communicator", "ids");
        checkRank("communicator", size, rank);
        checkConfig("communicator on rank " + rank + " of " + size, config);
        if (ids.isEmpty() || ids.size() > size) {
            throw new IllegalArgumentException("communicator: " + ids.size() + " ids for " + size
                    + " ranks; at least one, and not more than ranks");
        }
        long limit = nanos("communicator", rank, size, timeout);
        return init(device, size, rank, ids, config, Peers.UNKNOWN, limit);
    }

    private static void checkRank(String what, int size, int rank) {
        if (size < 1 || rank < 0 || rank >= size) {
            throw new IllegalArgumentException(what + ": rank " + rank + " of " + size + " is not possible");
        }
    }

    private static void checkConfig(String what, @Nullable CommConfig config) {
        if (config == null) {
            throw new NullPointerException(
                    what + ": config is null; CommConfig.DEFAULT has the values that NCCL chooses by itself");
        }
    }

    private static NcclCommunicator init(
            Device device, int size, int rank, List<UniqueId> ids, CommConfig config, Peers peers, long limit) {
        Startup startup = new Startup("communicator", device, rank, size, config, null, peers, name(ids), limit);
        MemorySegment list = UniqueId.write(ids, Arena.ofAuto());
        return made(startup.run((cell, c) -> LibNccl.ncclCommInitRankScalable(cell, size, rank, ids.size(), list, c)));
    }

    private static long nanos(String operation, int rank, int size, Duration timeout) {
        return NcclOperations.nanos(operation, "rank " + rank + " of " + size, timeout);
    }

    private static String name(List<UniqueId> ids) {
        return HexFormat.of().formatHex(ids.getFirst().toBytes());
    }

    private static NcclCommunicator made(@Nullable NcclCommunicator communicator) {
        if (communicator == null) {
            throw new CommException("NCCL made no communicator, and no error");
        }
        return communicator;
    }

    /**
     * Returns a communicator for each of {@code devices}, rank r for the r-th, all driven by this process, usually by
     * one thread ({@code ncclCommInitAll}). Their collectives are called in a {@link #group}, because each waits for
     * the others; for the same reason the methods without a stream, which wait for other ranks, need a thread for each
     * of them, and there are {@link #split}, {@link #registerWindows} and {@link #deviceCommunicators} for all at once.
     */
    public static List<NcclCommunicator> initAll(Device... devices) {
        nonNull(devices, "initAll", "devices");
        int[] ordinals = ordinals(devices);
        return initAll(CommConfig.DEFAULT, devices, (cells, arena) -> {
            MemorySegment list = arena.allocateFrom(ValueLayout.JAVA_INT, ordinals);
            LibNccl.ncclCommInitAll(cells, ordinals.length, list);
        });
    }

    /**
     * {@link #initAll(Device...)} with a configuration, the same for all ({@code ncclCommInitRankScalable} for each,
     * grouped). Blocking communicators only.
     */
    public static List<NcclCommunicator> initAll(CommConfig config, Device... devices) {
        nonNull(devices, "initAll", "devices");
        checkConfig("initAll of " + devices.length + " GPUs", config);
        if (!config.isBlocking()) {
            throw new IllegalArgumentException("initAll: communicators that do not block need a thread for each, and"
                    + " communicator(Device, int, int, ids, config, timeout)");
        }
        ordinals(devices);
        return initAll(config, devices, (cells, arena) -> {
            MemorySegment id = UniqueId.write(List.of(UniqueId.create()), arena);
            MemorySegment settings = config.write(Library.version(), arena);
            Submission.asOne(() -> {
                for (int i = 0; i < devices.length; i++) {
                    devices[i].makeCurrent();
                    LibNccl.ncclCommInitRankScalable(cells.asSlice(8L * i, 8), devices.length, i, 1, id, settings);
                }
            });
        });
    }

    private static int[] ordinals(Device... devices) {
        int[] ordinals = new int[devices.length];
        for (int i = 0; i < devices.length; i++) {
            ordinals[i] = devices[i].ordinal();
            for (int j = 0; j < i; j++) {
                if (ordinals[j] == ordinals[i]) {
                    throw new IllegalArgumentException("initAll: GPU " + ordinals[i] + " is given twice");
                }
            }
        }
        return ordinals;
    }

    /** Has {@code maker} write a handle into each of the cells. */
    private static List<NcclCommunicator> initAll(
            CommConfig config, Device[] devices, BiConsumer<MemorySegment, Arena> maker) {
        if (devices.length == 0) {
            return List.of();
        }
        String what = "initAll of " + devices.length + " GPUs";
        Recorded.checkNotRecording("initAll", devices[0]);
        // NCCL keeps pointers to the texts of a configuration.
        Arena arena = Arena.ofAuto();
        MemorySegment cells = arena.allocate(ValueLayout.JAVA_LONG, devices.length);
        try {
            Library.call(what, devices[0], Peers.UNKNOWN, 0, () -> maker.accept(cells, arena), () -> {});
        } catch (NativeCallException e) {
            throw new NcclException(what, e);
        }
        String name = "initAll " + SERIAL.incrementAndGet();
        return List.copyOf(Startup.adoptAll(
                cells,
                devices.length,
                (handle, i) -> Startup.adopt(handle, devices[i], config, Peers.UNKNOWN, Farewell.join(name), cells)));
    }

    /**
     * As a new rank, joins a communicator whose ranks call {@link NcclCommunicator#grow} ({@code ncclCommGrow}; NCCL
     * 2.29.2).
     *
     * @param id what {@link NcclCommunicator#growthId} gave
     * @param size the number of ranks that there will be
     * @param rank the number of this one, after those that were there before
     * @param timeout the limit; {@link Duration#ZERO} for none
     */
    public static NcclCommunicator join(
            Device device, UniqueId id, int size, int rank, CommConfig config, Duration timeout) {
        nonNull(device, "join", "device");
        nonNull(id, "join", "id");
        checkRank("join", size, rank);
        checkConfig("join on rank " + rank + " of " + size, config);
        Startup startup = new Startup(
                "join",
                device,
                rank,
                size,
                config,
                null,
                Peers.UNKNOWN,
                name(List.of(id)),
                nanos("join", rank, size, timeout));
        return made(grown(startup, NcclComm.NULL, size, id, rank));
    }

    static @Nullable NcclCommunicator grown(Startup startup, NcclComm comm, int size, @Nullable UniqueId id, int rank) {
        MemorySegment key = id == null ? MemorySegment.NULL : UniqueId.write(List.of(id), Arena.ofAuto());
        return startup.run((cell, c) -> LibNccl.ncclCommGrow(comm, size, key, rank, cell, c));
    }

    /**
     * {@link NcclCommunicator#split(int, int, CommConfig)} for several communicators that one thread drives: the i-th
     * of {@code colors} and of {@code keys} for the i-th of {@code communicators} ({@code ncclCommSplit} for each,
     * grouped). Blocking communicators only.
     *
     * @param config null for the ones of these communicators
     * @return null where the color was -1
     */
    public static List<@Nullable NcclCommunicator> split(
            List<NcclCommunicator> communicators, int[] colors, int[] keys, @Nullable CommConfig config) {
        nonNull(communicators, "split", "communicators");
        nonNull(colors, "split", "colors");
        nonNull(keys, "split", "keys");
        int n = communicators.size();
        if (n == 0 || colors.length != n || keys.length != n) {
            throw new IllegalArgumentException(
                    "split: " + colors.length + " colors and " + keys.length + " keys for " + n + " communicators");
        }
        for (int i = 0; i < n; i++) {
            communicators.get(i).health.check("split");
            if (colors[i] < -1) {
                throw new IllegalArgumentException(
                        "split: color " + colors[i] + " is not allowed; a color is at least 0, or -1 to take no part");
            }
            if (!(config == null ? communicators.get(i).isBlocking() : config.isBlocking())) {
                throw new IllegalArgumentException("split: communicators that do not block need a thread for each");
            }
        }
        Arena arena = Arena.ofAuto();
        MemorySegment cells = arena.allocate(ValueLayout.JAVA_LONG, n);
        MemorySegment settings = config == null ? MemorySegment.NULL : config.write(Library.version(), arena);
        together(
                "split",
                communicators,
                i -> LibNccl.ncclCommSplit(
                        communicators.get(i).handle,
                        colors[i] < 0 ? LibNccl.NCCL_SPLIT_NOCOLOR : colors[i],
                        keys[i],
                        cells.asSlice(8L * i, 8),
                        settings));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            names.add(communicators.get(i).branch("color " + colors[i]));
        }
        return Startup.adoptAll(cells, n, (handle, i) -> {
            NcclCommunicator parent = communicators.get(i);
            return Startup.adopt(
                    handle,
                    parent.device(),
                    config != null ? config : parent.config(),
                    Peers.UNKNOWN,
                    Farewell.join(names.get(i)),
                    List.of(cells, parent.memory()));
        });
    }

    /**
     * A call of NCCL for each of several communicators that one thread drives, grouped, for each waits for the others:
     * also for one that is missing here, up to the limit of the first.
     */
    private static void together(String operation, List<NcclCommunicator> communicators, IntConsumer call) {
        String what = operation + " of " + communicators.size() + " communicators";
        List<NcclCommunicator> ordered = communicators.stream()
                .sorted(Comparator.comparingLong(each -> each.serial))
                .toList();
        ordered.forEach(each -> each.checkCanWait(operation));
        ordered.forEach(each -> each.lock.lock());
        try {
            communicators.forEach(each -> each.checkReady(operation));
            NcclCommunicator first = communicators.getFirst();
            Library.call(
                    what,
                    first.device,
                    first.peers,
                    first.timeoutNanos(),
                    () -> Submission.asOne(() -> {
                        for (int i = 0; i < communicators.size(); i++) {
                            communicators.get(i).device.makeCurrent();
                            call.accept(i);
                        }
                    }),
                    () -> {});
            communicators.forEach(each -> each.settle(operation));
        } catch (NativeCallException e) {
            NcclException failure = new NcclException(what, e);
            communicators.forEach(each -> each.health.failed(failure));
            throw failure;
        } catch (CommException e) {
            communicators.forEach(each -> {
                each.noteStuck();
                each.health.failed(e);
            });
            throw e;
        } finally {
            ordered.forEach(each -> each.lock.unlock());
        }
    }

    /**
     * Takes over a communicator that another library of this process made, such as a framework in C or Python: it
     * belongs to the result, which ends it in {@link NcclCommunicator#close}. Not collective.
     *
     * @param device the GPU for which it was made
     * @param blocking whether it was configured to block, which NCCL does not tell
     * @throws IllegalArgumentException if it is on another GPU ({@code ncclCommCuDevice})
     * @throws IllegalCallerException if the caller's module has no native access
     */
    public static NcclCommunicator adopt(NcclComm handle, Device device, boolean blocking) {
        NativeAccess.checkCaller("Nccl.adopt");
        nonNull(handle, "adopt", "handle");
        nonNull(device, "adopt", "device");
        if (handle.isNull()) {
            throw new IllegalArgumentException("adopt: the communicator is NULL");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_INT);
            LibNccl.ncclCommCuDevice(handle, cell);
            int ordinal = cell.get(ValueLayout.JAVA_INT, 0);
            if (ordinal != device.ordinal()) {
                throw new IllegalArgumentException(
                        "adopt: the communicator is on GPU " + ordinal + ", not on " + device.ordinal());
            }
            device.makeCurrent();
            String name = "adopted " + SERIAL.incrementAndGet();
            return Startup.adopt(
                    handle, device, CommConfig.DEFAULT.blocking(blocking), Peers.UNKNOWN, Farewell.join(name), handle);
        } catch (NativeCallException e) {
            throw new NcclException("adopt on " + device, e);
        }
    }

    // ---- groups ----

    /**
     * Runs operations of one or several communicators as one: {@code body} only collects and checks; all start when it
     * returned normally, and none does when it throws. Stream-ordered: returns when the work is in the streams.
     */
    public static void group(Consumer<Group> body) {
        nonNull(body, "group", "body");
        Group group = Group.begin();
        try {
            body.accept(group);
            group.close();
            group.submit();
        } finally {
            group.end();
        }
    }

    /**
     * Returns how long NCCL thinks that a group would take, in microseconds; nothing is run ({@code
     * ncclGroupSimulateEnd}).
     */
    public static float simulate(Consumer<Group> body) {
        nonNull(body, "simulate", "body");
        Group group = Group.begin();
        try (Arena arena = Arena.ofConfined()) {
            body.accept(group);
            group.close();
            if (group.isEmpty()) {
                return 0;
            }
            MemorySegment info = arena.allocate(NcclSimInfo.BYTES, 8);
            info.set(ValueLayout.JAVA_LONG, NcclSimInfo.size, NcclSimInfo.BYTES);
            info.set(ValueLayout.JAVA_INT, NcclSimInfo.magic, SIMULATION_MAGIC);
            info.set(ValueLayout.JAVA_INT, NcclSimInfo.version, Library.version());
            group.simulate(info);
            return info.get(ValueLayout.JAVA_FLOAT, NcclSimInfo.estimatedTime);
        } finally {
            group.end();
        }
    }

    /**
     * Windows of several communicators that one thread drives, registered together: the i-th of {@code memories} with
     * the i-th of {@code communicators} ({@code ncclCommWindowRegister} for each, grouped). See {@link
     * NcclCommunicator#registerWindow}.
     */
    public static List<Window> registerWindows(
            List<NcclCommunicator> communicators, List<DeviceArray> memories, Window.Flag... flags) {
        nonNull(communicators, "registerWindows", "communicators");
        nonNull(memories, "registerWindows", "memories");
        nonNull(flags, "registerWindows", "flags");
        if (communicators.size() != memories.size()) {
            throw new IllegalArgumentException(
                    "registerWindows: " + memories.size() + " arrays for " + communicators.size() + " communicators");
        }
        for (int i = 0; i < communicators.size(); i++) {
            communicators.get(i).checkWindow(memories.get(i));
        }
        int bits = Window.bits(flags);
        // NCCL writes the handles when the group ends.
        MemorySegment cells = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, Math.max(1, communicators.size()));
        if (communicators.isEmpty()) {
            return List.of();
        }
        List<Runnable> giveBacks = new ArrayList<>();
        List<Window> made = new ArrayList<>();
        try {
            memories.forEach(each -> giveBacks.add(each.keep()));
            together(
                    "registerWindows",
                    communicators,
                    i -> LibNccl.ncclCommWindowRegister(
                            communicators.get(i).handle,
                            memories.get(i).address(),
                            memories.get(i).byteSize(),
                            cells.asSlice(8L * i, 8),
                            bits));
            for (int i = 0; i < communicators.size(); i++) {
                NcclWindow window = new NcclWindow(cells.getAtIndex(ValueLayout.JAVA_LONG, i));
                made.add(communicators.get(i).adopt(memories.get(i), window, giveBacks.get(i)));
            }
            return made;
        } finally {
            // Of those that became no windows.
            giveBacks.subList(made.size(), giveBacks.size()).forEach(Runnable::run);
        }
    }

    /**
     * {@link NcclCommunicator#deviceCommunicator} for several communicators that one thread drives: the i-th of {@code
     * requirements} for the i-th of {@code communicators} ({@code ncclDevCommCreate} for each, grouped).
     */
    public static List<DeviceCommunicator> deviceCommunicators(
            List<NcclCommunicator> communicators, List<DeviceRequirements> requirements) {
        nonNull(communicators, "deviceCommunicators", "communicators");
        nonNull(requirements, "deviceCommunicators", "requirements");
        if (communicators.size() != requirements.size()) {
            throw new IllegalArgumentException("deviceCommunicators: " + requirements.size() + " requirements for "
                    + communicators.size() + " communicators");
        }
        if (communicators.isEmpty()) {
            return List.of();
        }
        List<DeviceCommunicator> made = new ArrayList<>();
        for (int i = 0; i < communicators.size(); i++) {
            NcclCommunicator communicator = communicators.get(i);
            DeviceRequirements required = requirements.get(i);
            made.add(communicator.ask("deviceCommunicators", () -> communicator.prepare(required)));
        }
        together("deviceCommunicators", communicators, i -> made.get(i).make());
        for (int i = 0; i < communicators.size(); i++) {
            communicators.get(i).adopt(made.get(i));
        }
        return List.copyOf(made);
    }

    // ---- memory ----

    /**
     * Returns zeroed memory from NCCL's allocator ({@code ncclMemAlloc}), which the caller closes: for windows and
     * registered buffers that outlive a communicator. It takes at least 2 MiB.
     */
    public static DeviceArray allocate(Device device, DataType type, long count) {
        nonNull(device, "allocate", "device");
        return allocate(device, type, count, () -> {});
    }

    static DeviceArray allocate(Device device, DataType type, long count, Runnable freed) {
        long bytes = Math.max(1, HostArray.bytes(type, count));
        Recorded.checkNotRecording("allocate", device);
        device.makeCurrent();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_LONG);
            LibNccl.ncclMemAlloc(cell, bytes);
            long address = cell.get(ValueLayout.JAVA_LONG, 0);
            DeviceArray array;
            try {
                array = DeviceArray.owned(device, type, address, count, () -> {
                    try {
                        LibNccl.ncclMemFree(address);
                    } catch (NativeCallException e) {
                        throw new NcclException("free of " + count + " x " + type, e);
                    } finally {
                        freed.run();
                    }
                });
            } catch (Throwable e) {
                LibNccl.ncclMemFree(address);
                throw e;
            }
            // Work of other streams may be waiting for other ranks, so this must not wait for it.
            try {
                array.fill(0, device.defaultStream());
                device.defaultStream().synchronize();
                return array;
            } catch (Throwable e) {
                array.close();
                throw e;
            }
        } catch (NativeCallException e) {
            throw new NcclException(
                    "allocate " + count + " x " + type + " (" + bytes + " bytes) on " + device + " with "
                            + device.freeMemory() + " bytes free",
                    e);
        }
    }
}
