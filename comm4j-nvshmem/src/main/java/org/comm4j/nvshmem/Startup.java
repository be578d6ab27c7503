// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.comm4j.core.CommException;
import org.comm4j.core.World;
import org.comm4j.core.spi.HostCall;
import org.comm4j.core.spi.Peers;
import org.comm4j.core.spi.Rehearsal;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemxInitArgsV3_4_5;
import org.comm4j.ffi.nvshmem.NvshmemxInitAttr;
import org.comm4j.ffi.nvshmem.NvshmemxUniqueid;
import org.comm4j.ffi.nvshmem.NvshmemxUniqueidArgs;

/**
 * How the ranks of a world become PEs. They tell each other first whether they can, because the library ends the
 * process, or hangs, where one of them cannot; then they initialise it together, by a unique id of rank 0.
 */
final class Startup {
    private static final String KEY = "org.comm4j.nvshmem";

    private static final String STUCK = "NVSHMEM goes on waiting in a thread of its own";

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    /** The versions of the structs, as C puts version and size into one number. */
    private static final int V1 = 1 << 16;

    /**
     * What a rank tells the others of itself.
     *
     * @param problem why it cannot take part; empty if it can
     * @param machine the same for ranks of one machine
     * @param uuid of the GPU, in hexadecimal digits
     * @param outOfReach GPUs that this one does not reach, as far as this process sees them: their UUIDs, each with
     *     what that means, with tabs between
     * @param id the unique id that rank 0 has made, in hexadecimal digits
     * @param name what rank 0 calls this initialisation
     */
    private record Card(
            String problem,
            String version,
            String options,
            String machine,
            String uuid,
            String outOfReach,
            String id,
            String name) {
        byte[] write() {
            return String.join("\n", problem.replace('\n', ' '), version, options, machine, uuid, outOfReach, id, name)
                    .getBytes(UTF_8);
        }

        static Card read(byte[] bytes) {
            String[] lines = new String(bytes, UTF_8).split("\n", -1);
            return new Card(lines[0], lines[1], lines[2], lines[3], lines[4], lines[5], lines[6], lines[7]);
        }

        /** Why NVSHMEM cannot connect the two; empty if it can. */
        String problemWith(Card other) {
            if (!machine.equals(other.machine) || uuid.equals(other.uuid)) {
                return "";
            }
            List<String> words = List.of(outOfReach.split("\t", -1));
            int place = words.indexOf(other.uuid);
            return place < 0 ? "" : words.get(place + 1);
        }
    }

    private final World world;
    private final Device device;
    private final NvshmemOptions options;
    private final String where;

    private Startup(World world, Device device, NvshmemOptions options) {
        this.world = world;
        this.device = device;
        this.options = options;
        this.where = Session.where(world, device);
    }

    static Session run(World world, Device device, NvshmemOptions options) {
        nonNull(world, "init", "world");
        nonNull(device, "init", "device");
        nonNull(options, "init", "options");
        return new Startup(world, device, options).run();
    }

    /** What PEs tell each other, as of a PE that is alone. */
    static void rehearse() {
        Card card = new Card("", "", "", machine(), "", "", HexFormat.of().formatHex(new byte[1]), "");
        List<Card> cards = Stream.of(card.write()).map(Card::read).toList();
        List<String> _ = cards.stream().map(one -> one.problemWith(card)).toList();
    }

    private Session run() {
        device.makeCurrent();
        Lifecycle.begin(where);
        try {
            Environment environment = Environment.enter(world, options);
            try {
                Card first = introduce().getFirst();
                environment.settled(options);
                return initialize(HexFormat.of().parseHex(first.id()), first.name(), environment);
            } catch (Throwable e) {
                environment.leave();
                throw e;
            }
        } finally {
            Lifecycle.over();
        }
    }

    // ---- before ----

    /** One exchange: whether all can, of which the others can be sure then, and what they need to begin. */
    private List<Card> introduce() {
        String problem = Library.problem();
        if (problem == null && Library.isInitialized()) {
            problem = "somebody else has initialised NVSHMEM in this process";
        }
        String id = "";
        if (problem == null && world.rank() == 0) {
            try {
                id = HexFormat.of().formatHex(newId());
            } catch (NativeCallException e) {
                problem = e.getMessage();
            }
        }
        Card mine = new Card(
                Objects.requireNonNullElse(problem, ""),
                problem == null ? Library.version() : "",
                options.toString(),
                machine(),
                Library.uuid(device.ordinal()),
                problem == null ? outOfReach() : "",
                id,
                Long.toHexString(ThreadLocalRandom.current().nextLong()));
        List<Card> cards =
                world.exchange(KEY, mine.write()).stream().map(Card::read).toList();
        refuse(cards.stream().map(Card::problem).toList());
        same(
                "have loaded different versions of NVSHMEM",
                cards.stream().map(Card::version).toList());
        same("have different options", cards.stream().map(Card::options).toList());
        refuse(cards.stream()
                .map(card -> cards.stream()
                        .map(card::problemWith)
                        .filter(text -> !text.isEmpty())
                        .findFirst()
                        .orElse(""))
                .toList());
        return cards;
    }

    private String outOfReach() {
        if (Library.hasWayAround()) {
            return "";
        }
        StringJoiner words = new StringJoiner("\t");
        for (int other = 0; other < Cuda.deviceCount(); other++) {
            if (other != device.ordinal() && !Library.canAccess(device.ordinal(), other)) {
                words.add(Library.uuid(other)).add(Library.unreachable(device.ordinal(), other));
            }
        }
        return words.toString();
    }

    private static String machine() {
        try {
            return Files.readString(BOOT).strip();
        } catch (IOException e) {
            return String.valueOf(System.getenv("HOSTNAME"));
        }
    }

    /** All PEs throw alike, if one has a problem. */
    private void refuse(List<String> problems) {
        for (int pe = 0; pe < problems.size(); pe++) {
            if (!problems.get(pe).isEmpty()) {
                throw new CommException(
                        "init on " + where + ": PE " + pe + " cannot initialise NVSHMEM: " + problems.get(pe));
            }
        }
    }

    private void same(String complaint, List<String> values) {
        if (values.stream().distinct().count() > 1) {
            throw new CommException("init on " + where + ": the PEs " + complaint + ": " + String.join(", ", values)
                    + " (in the order of PEs)");
        }
    }

    private static byte[] newId() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(NvshmemxUniqueid.LAYOUT);
            id.fill((byte) 0);
            id.set(JAVA_INT, NvshmemxUniqueid.version, V1 + (int) NvshmemxUniqueid.BYTES);
            LibNvshmem.nvshmemx_get_uniqueid(id);
            return id.toArray(JAVA_BYTE);
        }
    }

    // ---- the initialisation itself ----

    private Session initialize(byte[] id, String name, Environment environment) {
        Device own = Device.of(device.ordinal());
        // From here on C's exit handlers may meet a library that is anywhere between its states, and stay skipped if
        // this fails.
        Exit exit = new Exit(where);
        Rehearsal.begin(NvshmemEngine.NAME);
        Meanwhile<AtomicKernels> kernels = Meanwhile.make("kernels on " + where, () -> new AtomicKernels(own));
        long[] pairs = {0};
        try {
            HostCall.run(
                    "init on " + where,
                    STUCK,
                    Peers.all(world),
                    TimeUnit.NANOSECONDS.convert(world.timeout()),
                    () -> {
                        own.makeCurrent();
                        call(id);
                        pairs[0] = allocatePairs();
                    },
                    () -> {});
            Session session = new Session(world, name, device, own, pairs[0], kernels, environment, exit);
            Lifecycle.initialized(where);
            // All PEs have come so far: one that failed is missed here, where waiting has a limit.
            List<String> ignored = session.exchange("init", "done");
            return session;
        } catch (Throwable e) {
            exit.silence();
            Lifecycle.abandoned("its initialisation failed: " + e.getMessage());
            throw e;
        }
    }

    private void call(byte[] bytes) {
        // Not confined to this call: the library keeps the pointer to the id until it is initialised.
        Arena arena = Arena.ofAuto();
        MemorySegment id = arena.allocate(NvshmemxUniqueid.LAYOUT);
        MemorySegment.copy(bytes, 0, id, JAVA_BYTE, 0, bytes.length);
        try {
            MemorySegment attributes = attributes(arena);
            LibNvshmem.nvshmemx_set_attr_uniqueid_args(world.rank(), world.size(), id, attributes);
            LibNvshmem.nvshmemx_hostlib_init_attr(LibNvshmem.NVSHMEMX_INIT_WITH_UNIQUEID, attributes);
        } catch (NativeCallException e) {
            throw new NvshmemException("init on " + where, e);
        } finally {
            Reference.reachabilityFence(id);
        }
        int status = LibNvshmem.nvshmemx_init_status();
        if (status < LibNvshmem.NVSHMEM_STATUS_IS_INITIALIZED) {
            throw new CommException("init on " + where + ": NVSHMEM could not be initialised (status " + status
                    + "); it writes the reason to the standard error, more of it with NVSHMEM_DEBUG=INFO");
        }
        if (LibNvshmem.nvshmem_my_pe() != world.rank() || LibNvshmem.nvshmem_n_pes() != world.size()) {
            throw new CommException("init on " + where + ": NVSHMEM made this PE " + LibNvshmem.nvshmem_my_pe() + " of "
                    + LibNvshmem.nvshmem_n_pes());
        }
    }

    /** Collective: as of {@link Modules}. */
    private long allocatePairs() {
        long bytes = Modules.pairBytes(world.size());
        if (bytes == 0) {
            return 0;
        }
        long address = LibNvshmem.nvshmem_calloc(1, bytes);
        if (address == 0) {
            throw new CommException(
                    "init on " + where + ": NVSHMEM has not " + bytes + " bytes for collectives of kernels");
        }
        return address;
    }

    /** The first layout of the attributes, which all versions accept. */
    private static MemorySegment attributes(Arena arena) {
        MemorySegment attributes = arena.allocate(NvshmemxInitAttr.LAYOUT);
        attributes.fill((byte) 0);
        attributes.set(JAVA_INT, NvshmemxInitAttr.version, V1 + (int) NvshmemxInitAttr.BYTES);
        MemorySegment args = attributes.asSlice(NvshmemxInitAttr.args);
        args.set(JAVA_INT, NvshmemxInitArgsV3_4_5.version, V1 + (int) NvshmemxInitArgsV3_4_5.BYTES);
        MemorySegment uid = args.asSlice(NvshmemxInitArgsV3_4_5.uid_args);
        uid.set(JAVA_INT, NvshmemxUniqueidArgs.version, V1 + (int) NvshmemxUniqueidArgs.BYTES);
        uid.set(JAVA_INT, NvshmemxUniqueidArgs.myrank, -1);
        uid.set(JAVA_INT, NvshmemxUniqueidArgs.nranks, -1);
        return attributes;
    }
}
