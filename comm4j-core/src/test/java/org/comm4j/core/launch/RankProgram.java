// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.comm4j.core.CommException;
import org.comm4j.core.World;

/** What the ranks of {@link LauncherTest} do: the first argument says what. */
final class RankProgram {
    private RankProgram() {}

    public static void main(String[] args) throws Throwable {
        int rank = Integer.parseInt(Objects.requireNonNullElse(System.getenv("COMM4J_RANK"), "-1"));
        switch (args[0]) {
            case "world" -> {
                try (World world = World.join()) {
                    System.out.println(world);
                    world.barrier();
                }
            }
            case "environment" -> System.out.println(System.getenv(args[1]) + " " + Arrays.toString(args));
            case "property" -> System.out.println(System.getProperty(args[1]));
            case "input" -> System.out.println("read " + System.in.read());
            case "pieces" -> {
                for (int i = 0; i < 20; i++) {
                    System.out.print("first" + i);
                    System.out.flush();
                    Thread.sleep(1);
                    System.out.print("-last" + i + (i < 19 ? "\n" : ""));
                    System.out.flush();
                    System.err.println("error" + i);
                }
            }
            case "lines" -> {
                StringBuilder line = new StringBuilder();
                for (int i = 0; i < 20_000; i++) {
                    line.append(rank)
                            .append(' ')
                            .append(i)
                            .append(' ')
                            .repeat((char) ('a' + rank), 100)
                            .append('\n');
                }
                System.out.print(line);
                System.out.flush();
            }
            case "endless" -> {
                System.out.print("ä".repeat(100_000));
                System.out.flush();
            }
            case "exit" -> {
                World.join().barrier();
                if (rank == 1) {
                    System.exit(3);
                }
                Thread.sleep(60_000);
            }
            case "throw" -> {
                try (World world = World.join()) {
                    if (world.rank() == 1) {
                        throw new IllegalStateException("on purpose");
                    }
                    world.barrier();
                }
            }
            case "throw and end slowly" -> {
                // The others have ended, as their barrier cannot complete, before rank 1 has its exit code.
                if (rank == 1) {
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> LockSupport.parkNanos(500_000_000)));
                }
                try (World world = World.join()) {
                    if (rank == 1) {
                        throw new IllegalStateException("on purpose");
                    }
                    world.barrier();
                }
            }
            case "killed" -> {
                try (World world = World.join()) {
                    world.barrier();
                    if (rank == 1) {
                        kill("KILL", ProcessHandle.current().pid());
                    }
                    long start = System.nanoTime();
                    try {
                        world.barrier();
                    } catch (CommException e) {
                        long millis = (System.nanoTime() - start) / 1_000_000;
                        System.out.println((millis < 2000 ? "in time: " : "late: ") + e.getMessage());
                    }
                }
            }
            case "killed while a child has its sockets" -> {
                try (World world = World.join()) {
                    world.barrier();
                    if (world.rank() == Integer.parseInt(args[1])) {
                        keepSocketsOpen(8);
                        kill("KILL", ProcessHandle.current().pid());
                    }
                    long start = System.nanoTime();
                    try {
                        world.barrier();
                    } catch (CommException e) {
                        long millis = (System.nanoTime() - start) / 1_000_000;
                        System.out.println((millis < 2000 ? "in time: " : millis + " ms: ") + e.getMessage());
                    }
                }
            }
            case "abort" -> {
                World world = World.join();
                if (rank == 1) {
                    world.abort(7, "the matrix is singular");
                }
                world.barrier();
            }
            case "stubborn" -> {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> pause(60_000)));
                World.join().barrier();
                if (rank == 0) {
                    Runtime.getRuntime().halt(5);
                }
                pause(60_000);
            }
            case "parent" -> {
                Process child = new ProcessBuilder("sleep", "60").inheritIO().start();
                System.out.println("child " + child.pid());
                World.join().barrier();
                Runtime.getRuntime().halt(rank == 0 ? 4 : 0);
            }
            case "absent" -> {
                if (rank == 1) {
                    return;
                }
                try {
                    World.join(Duration.ofSeconds(30));
                } catch (CommException e) {
                    System.out.println(e.getMessage());
                }
            }
            case "sleep" -> pause(60_000);
            case "launch" -> {
                // A launcher of its own, whose ranks say that they are there and wait.
                int code = Launcher.ranks(2)
                        .jvmOptions("-XX:TieredStopAtLevel=1")
                        .java(RankProgram.class.getName(), "wait")
                        .grace(Duration.ofSeconds(1))
                        .run();
                System.exit(code);
            }
            case "wait" -> {
                World world = World.join();
                System.out.println("pid " + ProcessHandle.current().pid());
                world.barrier();
                pause(60_000);
            }
            case "run" ->
                System.exit(Launcher.ranks(Integer.parseInt(args[1]))
                        .source(Path.of(args[2]))
                        .run());
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** The C library's children have the descriptors of their parent, other than those of the JDK. */
    @SuppressWarnings("restricted")
    private static void keepSocketsOpen(int seconds) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle system = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("system"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            String command = "sleep " + seconds + " >/dev/null 2>&1 </dev/null &";
            int _ = (int) system.invokeExact(arena.allocateFrom(command));
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void kill(String signal, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .inheritIO()
                .start()
                .waitFor();
    }
}
