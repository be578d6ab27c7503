// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.Console;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.Cuda;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The options of commands that are parallel programs themselves. Started by a launcher ({@code mpirun}, {@code srun},
 * {@code comm4j run}) such a command is one rank; started by hand it starts its ranks, each with the same command line.
 */
final class Ranks {
    /** The engine of GPUs that reach each other's memory. */
    static final String NVSHMEM = "nvshmem";

    /** OpenSHMEM, for commands that have it. */
    static final String SHMEM = "shmem";

    /** The commands that are parallel programs. */
    static final List<String> PARALLEL = List.of("invert", "jacobi", "prk", "bench");

    /** Set for ranks whose output appears on a terminal although it goes through a pipe. */
    private static final String TERMINAL = "COMM4J_TERMINAL";

    @Option(
            names = {"-n", "--ranks"},
            paramLabel = "N",
            description = "Number of ranks; default: one for each processor, or for each GPU.")
    private @Nullable Integer ranks;

    @Option(
            names = "--engine",
            paramLabel = "E",
            description = "The engine: host, unless \"comm4j run\" names another; shmem, halos by OpenSHMEM's puts and"
                    + " signals, over the embedded engine or, under oshrun with COMM4J_SHMEM=native, over a"
                    + " library; mpi, halos by messages; nccl or nvshmem.")
    private @Nullable String engine;

    @Option(names = "--checked", description = "Ranks check that they call the same operations.")
    private boolean checked;

    /** Throws if a job cannot run on so many ranks, of which so many are on this host. */
    interface Check {
        void accept(int ranks, int here);
    }

    /**
     * The name of the engine that was asked for.
     *
     * @param more names that this command knows besides those of communicators
     * @throws IllegalStateException if it cannot run here
     */
    String engine(CommandSpec command, String... more) {
        if (engine != null && List.of(more).contains(engine)) {
            return engine;
        }
        Engine chosen;
        try {
            chosen = engine == null ? Engine.selected() : Engine.named(engine);
        } catch (IllegalArgumentException e) {
            String others = more.length == 0 ? "" : ", " + String.join(", ", more);
            throw new ParameterException(command.commandLine(), "--engine: " + e.getMessage() + others, e);
        }
        return ready(chosen).name();
    }

    /** @throws IllegalStateException if it cannot run here */
    static Engine ready(Engine engine) {
        String problem = engine.problem();
        if (problem != null) {
            throw new IllegalStateException("engine " + engine.name() + ": " + problem);
        }
        return engine;
    }

    /**
     * There are GPUs for the ranks on this host.
     *
     * @param mayShare whether the engine lets ranks share one where CUDA's Multi-Process Service runs
     */
    static void checkGpus(CommandSpec command, int here, boolean mayShare) {
        int gpus = Cuda.deviceCount();
        if (here > gpus && !(mayShare && Cuda.hasMps())) {
            throw new ParameterException(
                    command.commandLine(),
                    here + " ranks on this host: it has " + gpus + (gpus == 1 ? " GPU" : " GPUs")
                            + ", and each rank needs one"
                            + (mayShare
                                    ? ", unless CUDA's Multi-Process Service runs (nvidia-cuda-mps-control -d), with"
                                            + " which they share"
                                    : ""));
        }
    }

    /** What {@code -n} gives, or {@code usual}. */
    int count(int usual) {
        return ranks != null ? ranks : usual;
    }

    /**
     * Runs {@code body} on every rank, in this process or in new ones; the result is the exit code.
     *
     * @param usual the number of ranks if none is given
     */
    int run(CommandSpec command, int usual, Check check, ToIntFunction<World> body) {
        if (ranks != null && ranks < 1) {
            throw new ParameterException(command.commandLine(), "-n " + ranks + ": at least 1 rank is needed");
        }
        return run(command, "-n", ranks, usual, checked, check, body);
    }

    /**
     * The same for a command with options of its own.
     *
     * @param option the name of the one that gives the number of ranks, for messages
     * @param ranks what it gives, null if it was left out
     * @param usual the number of ranks then, if nobody else started any
     */
    static int run(
            CommandSpec command,
            String option,
            @Nullable Integer ranks,
            int usual,
            boolean checked,
            Check check,
            ToIntFunction<World> body) {
        int wanted = ranks != null ? ranks : usual;
        try (World world = World.join()) {
            boolean launched = !world.origin().equals("alone");
            check.accept(launched ? world.size() : wanted, launched ? world.localSize() : wanted);
            if (launched && ranks != null && ranks != world.size()) {
                throw new ParameterException(
                        command.commandLine(),
                        option + " " + ranks + ", but " + world.origin() + " started " + world.size() + " ranks");
            }
            if (launched || wanted == 1) {
                return body.applyAsInt(world);
            }
        }
        // The words that came after the command's name.
        List<String> words = command.root().commandLine().getParseResult().originalArgs();
        Launcher launcher = Launcher.ranks(wanted)
                .java(Stream.concat(mainClass().stream(), words.stream()).toArray(String[]::new))
                .jvmOptions(Stream.concat(Stream.of("-XX:MaxRAMPercentage=" + 75.0 / wanted), properties())
                        .toArray(String[]::new))
                .prefix(rank -> "");
        if (checked) {
            launcher.checked(true);
        }
        if (isTerminal()) {
            launcher.environment(TERMINAL, "1");
        }
        return launcher.run();
    }

    /** Whether {@code comm4j run} can start a command's ranks, which find out that they were launched. */
    static boolean hasRanks(CommandSpec run, String word) {
        return PARALLEL.contains(word) && run.root().subcommands().containsKey(word);
    }

    /** The arguments of {@code java} for a rank that runs a command of ours. */
    static List<String> ranksOf(List<String> words) {
        return Stream.of(properties(), mainClass().stream(), words.stream())
                .flatMap(each -> each)
                .toList();
    }

    /** The command that runs this program with other words, on the same {@code java} with the same paths. */
    static List<String> command(List<String> words) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Module module = Main.class.getModule();
        command.add("--enable-native-access=" + (module.isNamed() ? "org.comm4j.ffi" : "ALL-UNNAMED"));
        addPath(command, "--class-path", System.getProperty("java.class.path", ""));
        addPath(command, "--module-path", System.getProperty("jdk.module.path", ""));
        properties().forEach(command::add);
        command.addAll(mainClass());
        command.addAll(words);
        return command;
    }

    /** Options that give another process the properties of ours: where libraries are, and the like. */
    private static Stream<String> properties() {
        return System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("org.comm4j.") || name.startsWith("comm4j."))
                .sorted()
                .map(name -> "-D" + name + "=" + System.getProperty(name));
    }

    private static void addPath(List<String> command, String option, String path) {
        if (!path.isEmpty()) {
            command.add(option);
            command.add(path);
        }
    }

    private static List<String> mainClass() {
        String name = Main.class.getName();
        Module module = Main.class.getModule();
        return module.isNamed() ? List.of("--module", module.getName() + "/" + name) : List.of(name);
    }

    /** Whether what this process prints is seen on a terminal as it comes. */
    @SuppressWarnings("SystemConsoleNull") // it may still be null, says its documentation
    static boolean isTerminal() {
        Console console = System.console();
        return System.getenv(TERMINAL) != null || console != null && console.isTerminal();
    }
}
