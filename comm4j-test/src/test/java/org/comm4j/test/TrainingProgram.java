// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.platform.engine.TestEngine;

/** Uses of the JDK that ranks have in common: what this loads, the archive of shared classes has. */
@SuppressWarnings("restricted") // C functions
final class TrainingProgram {
    private record Pair(String name, int number) {}

    private enum Kind {
        FIRST,
        SECOND
    }

    private TrainingProgram() {}

    @SuppressWarnings("SystemOut") // as ranks do
    public static void main(String[] args) throws Throwable {
        Path folder = Files.createTempDirectory(
                "comm4j-training", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try {
            functions();
            types();
            jars();
            memory(folder);
            converse(UnixDomainSocketAddress.of(folder.resolve("socket")));
            converse(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            threads();
            bytecode();
            System.out.println(words() + " " + secrets() + " " + process());
        } finally {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        MemorySegment address =
                linker.defaultLookup().or(SymbolLookup.loaderLookup()).findOrThrow(name);
        MethodHandle bound = linker.downcallHandle(address, type, options);
        MethodHandle unbound = linker.downcallHandle(type, options);
        return unbound.type().parameterCount() > bound.type().parameterCount()
                ? MethodHandles.insertArguments(unbound, 0, address)
                : bound;
    }

    /** Functions of C with arguments and results of several types, and one that is called back. */
    private static void functions() throws Throwable {
        int self = (int) function("getpid", FunctionDescriptor.of(JAVA_INT)).invokeExact();
        long page = (long)
                function("sysconf", FunctionDescriptor.of(JAVA_LONG, JAVA_INT)).invokeExact(30);
        MethodHandle errors = function(
                "open",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(2));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            MemorySegment name = arena.allocateFrom("/absent", UTF_8);
            int file = (int) errors.invokeExact(state, name, 0);
            long length = (long) function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS))
                    .invokeExact(name);
            long copy = (long) function("memcpy", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG))
                    .invokeExact(state.address(), name.address(), 1L);
            double root = (double) function("sqrt", FunctionDescriptor.of(JAVA_DOUBLE, JAVA_DOUBLE))
                    .invokeExact(4.0);
            MemorySegment numbers = arena.allocateFrom(JAVA_INT, 3, 1, 2);
            MethodHandle compare = MethodHandles.lookup()
                    .findStatic(
                            TrainingProgram.class,
                            "compare",
                            MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
            MemorySegment callback = Linker.nativeLinker()
                    .upcallStub(
                            compare,
                            FunctionDescriptor.of(
                                    JAVA_INT, ADDRESS.withTargetLayout(JAVA_INT), ADDRESS.withTargetLayout(JAVA_INT)),
                            arena);
            function("qsort", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS))
                    .invokeExact(numbers, 3L, 4L, callback);
            if (self < 0 || page < 0 || file >= 0 || length != 7 || copy == 0 || root != 2.0) {
                throw new AssertionError("C's library");
            }
        }
    }

    /** Links functions of the types that libraries have most, and those of the operating system that tell errors. */
    private static void types() {
        Linker linker = Linker.nativeLinker();
        for (String each : List.of(
                "",
                "J",
                "JJ",
                "JJJ",
                "JJJJ",
                "JJJJJ",
                "JJJJJJ",
                "JJJJJJJ",
                "I",
                "II",
                "III",
                "JI",
                "JII",
                "IJ",
                "JJI",
                "JIJ",
                "JJII",
                "JJIJ",
                "JJJI",
                "JJJIJ",
                "JJIJJ",
                "JJIIJJ",
                "JJJJIIIJ",
                "JJJJIIIJJJ")) {
            linker.downcallHandle(FunctionDescriptor.ofVoid(layouts(each)));
            linker.downcallHandle(FunctionDescriptor.of(JAVA_INT, layouts(each)));
            linker.downcallHandle(FunctionDescriptor.of(JAVA_LONG, layouts(each)));
        }
        Linker.Option error = Linker.Option.captureCallState("errno");
        for (String each :
                List.of("", "I", "II", "III", "A", "AI", "AII", "AA", "AAI", "AJ", "IA", "IJ", "IJA", "IIJJ", "IIAJ")) {
            linker.downcallHandle(FunctionDescriptor.of(JAVA_INT, layouts(each)), error);
        }
        linker.downcallHandle(FunctionDescriptor.of(ADDRESS, layouts("AJIIIJ")), error);
        linker.downcallHandle(FunctionDescriptor.of(JAVA_LONG, layouts("JJJJAJJJ")), error);
    }

    private static MemoryLayout[] layouts(String letters) {
        Map<Character, MemoryLayout> types = Map.of('J', JAVA_LONG, 'I', JAVA_INT, 'A', ADDRESS);
        return letters.chars().mapToObj(letter -> types.get((char) letter)).toArray(MemoryLayout[]::new);
    }

    /** What class loaders do with jars and services. */
    private static void jars() throws Exception {
        Class.forName("org.opentest4j.AssertionFailedError");
        ClassLoader loader = TrainingProgram.class.getClassLoader();
        loader.getResources("META-INF/MANIFEST.MF").asIterator().forEachRemaining(each -> {
            try (var stream = each.openStream()) {
                stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        ServiceLoader.load(TestEngine.class).findFirst().orElseThrow();
    }

    private static int compare(MemorySegment one, MemorySegment other) {
        return Integer.compare(one.get(JAVA_INT, 0), other.get(JAVA_INT, 0));
    }

    private static void memory(Path folder) throws Exception {
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        folder.resolve("file"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena);
            VarHandle words = JAVA_LONG.varHandle();
            words.setVolatile(mapped, 8L, 1L);
            words.getAndAdd(mapped, 8L, 2L);
            words.compareAndSet(mapped, 8L, 3L, 4L);
            VarHandle integers = JAVA_INT.varHandle();
            integers.setRelease(mapped, 16L, 1);
            integers.getAcquire(mapped, 16L);
            JAVA_FLOAT.arrayElementVarHandle().set(mapped, 0L, 5L, 1f);
            mapped.set(JAVA_BYTE, 3, (byte) 1);
            mapped.fill((byte) 0);
            MemorySegment.copy(MemorySegment.ofArray(new double[] {1, 2}), 0, mapped, 64, 16);
            MemorySegment.ofAddress(mapped.address())
                    .reinterpret(64)
                    .asByteBuffer()
                    .getLong(8);
            ByteBuffer.allocateDirect(64).asDoubleBuffer().put(1, 2.0);
        }
        try (FileChannel file = FileChannel.open(folder.resolve("file"), StandardOpenOption.WRITE)) {
            file.lock().release();
        }
    }

    private static void converse(SocketAddress place) throws Exception {
        try (ServerSocketChannel server = place instanceof UnixDomainSocketAddress
                ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                : ServerSocketChannel.open()) {
            server.bind(place);
            Thread answers = Thread.ofPlatform().daemon().start(() -> {
                try (SocketChannel channel = server.accept()) {
                    ByteBuffer word = ByteBuffer.allocate(8);
                    channel.read(word);
                    channel.write(word.flip());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try (SocketChannel channel = SocketChannel.open(server.getLocalAddress())) {
                channel.write(ByteBuffer.wrap("training".getBytes(UTF_8)));
                channel.read(ByteBuffer.allocate(8));
            }
            answers.join();
        }
    }

    private static void threads() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        ThreadLocal<String> own = ThreadLocal.withInitial(() -> "own");
        AtomicInteger calls = new AtomicInteger();
        try (var workers = Executors.newCachedThreadPool();
                var virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<Integer> first = CompletableFuture.supplyAsync(calls::incrementAndGet, workers);
            virtual.submit(() -> calls.addAndGet(own.get().length())).get();
            first.thenApply(number -> number + 1)
                    .orTimeout(Duration.ofMinutes(1).toSeconds(), TimeUnit.SECONDS)
                    .join();
        }
        lock.lockInterruptibly();
        lock.unlock();
        Thread end = new Thread(() -> calls.set(0));
        Runtime.getRuntime().addShutdownHook(end);
    }

    /** A class that is made at run time. */
    private static void bytecode() throws Throwable {
        byte[] bytes = ClassFile.of()
                .build(
                        ClassDesc.of("org.comm4j.test.Made"),
                        type -> type.withMethodBody(
                                "twice",
                                MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int),
                                ClassFile.ACC_STATIC,
                                code -> code.iload(0)
                                        .iload(0)
                                        .iadd()
                                        .dup()
                                        .ifThen(then -> then.iconst_1().pop())
                                        .iload(0)
                                        .iload(0)
                                        .iadd()
                                        .ireturn()));
        ClassFile.of()
                .parse(bytes)
                .methods()
                .forEach(method -> method.code()
                        .ifPresent(code -> code.forEach(each -> {
                            if (each.toString().isEmpty()) {
                                throw new AssertionError("a name");
                            }
                        })));
        MethodHandles.Lookup made = MethodHandles.lookup().defineHiddenClass(bytes, true);
        MethodHandle twice = made.findStatic(made.lookupClass(), "twice", MethodType.methodType(int.class, int.class));
        Method same = made.lookupClass().getDeclaredMethod("twice", int.class);
        if ((int) twice.invokeExact(2) != 4 || !same.getName().equals("twice")) {
            throw new AssertionError("twice");
        }
    }

    private static String words() {
        Object pair = new Pair("name", 1);
        String kind = switch (pair) {
            case Pair(String name, int number) when number > 0 -> name + number;
            case Pair other -> other.toString();
            default -> "none";
        };
        Map<Kind, List<Pair>> kinds = new EnumMap<>(Kind.class);
        kinds.computeIfAbsent(Kind.FIRST, each -> new ArrayList<>()).add(new Pair("a", 2));
        Map<String, Integer> counts = Stream.of("b", "a", "b")
                .collect(Collectors.groupingBy(each -> each, TreeMap::new, Collectors.summingInt(String::length)));
        String joined = IntStream.range(0, 4)
                .mapToObj(i -> String.format(Locale.ROOT, "%02d %.1f %s", i, i * 0.5, Kind.SECOND))
                .filter(line -> Pattern.compile("(\\d+) [0-9.]+ (?<kind>.*)")
                        .matcher(line)
                        .matches())
                .sorted()
                .collect(Collectors.joining(", ", "[", "]"));
        ConcurrentHashMap<String, Kind> map = new ConcurrentHashMap<>(Map.of("x", Kind.FIRST));
        map.merge("x", Kind.SECOND, (one, other) -> other);
        Logger.getLogger("org.comm4j.training").fine(() -> "not shown");
        ServiceLoader.load(ToolProvider.class).stream().limit(1).forEach(each -> each.type());
        double random = new SplittableRandom(1).nextDouble();
        return kind
                + kinds
                + counts
                + joined
                + map
                + (random < 1)
                + pair.hashCode()
                + pair.equals(new Pair("b", 1))
                + " line\n".strip().repeat(2).toUpperCase(Locale.ROOT);
    }

    private static String secrets() throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(new byte[16], "HmacSHA256"));
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(mac.doFinal(new byte[8]));
        return HexFormat.of().formatHex(hash, 0, 4);
    }

    /** As a launcher starts ranks. */
    private static int process() throws Exception {
        Process process = new ProcessBuilder("true").redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        return process.onExit().get().exitValue()
                + ProcessHandle.current().info().command().map(String::length).orElse(0);
    }
}
