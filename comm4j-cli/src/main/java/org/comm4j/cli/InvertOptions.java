// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.comm4j.apps.InversionSettings;
import org.comm4j.apps.Outcome;
import org.comm4j.apps.Picture;
import org.comm4j.apps.Section;
import org.comm4j.apps.Watch;
import org.comm4j.array.Backend;
import org.comm4j.array.Npy;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.Cuda;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that all inversions have, and how their ranks are run. */
final class InvertOptions {
    @Option(
            names = {"-n", "--ranks"},
            paramLabel = "N",
            description = "Number of ranks; default: one for each processor, or for each GPU.")
    private @Nullable Integer ranks;

    @Option(
            names = "--engine",
            paramLabel = "E",
            description = "host, on processors, or nccl, on GPUs; default: what \"comm4j run\" says, else host.")
    private @Nullable String engine;

    @Option(names = "--checked", description = "Ranks check that they call the same operations.")
    private boolean checked;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            defaultValue = "100",
            description = "Iterations of the solver; default: ${DEFAULT-VALUE}.")
    private int iterations;

    @Option(
            names = "--damp",
            paramLabel = "X",
            defaultValue = "0",
            description = "Damping factor of CGLS, which other solvers have not; default: ${DEFAULT-VALUE}.")
    private double damp;

    @Option(
            names = "--noise",
            paramLabel = "X",
            defaultValue = "0",
            description = "Standard deviation of the data's noise, by that of the data; default: ${DEFAULT-VALUE}.")
    private double noise;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the built-in model and of the noise; default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            defaultValue = "FLOAT32",
            description = "FLOAT32 or FLOAT64; default: ${DEFAULT-VALUE}.")
    private String type = "FLOAT32";

    @Option(
            names = "--model",
            paramLabel = "FILE",
            description = "Impedance in NumPy's format, .npy, instead of the built-in model.")
    @Nullable
    Path model;

    @Option(names = "--png", paramLabel = "FILE", description = "Draw model, data, inversion and convergence.")
    private @Nullable Path png;

    @Option(
            names = "--every",
            paramLabel = "N",
            description = "Draw every N-th iteration, too, to files like FILE with its number; the time counts.")
    private @Nullable Integer every;

    /**
     * Returns the options of the inversion.
     *
     * @throws IllegalArgumentException if one is wrong
     */
    InversionSettings settings() {
        DataType elements = Stream.of(DataType.FLOAT32, DataType.FLOAT64)
                .filter(each -> each.name().equals(type))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--type " + type + ": FLOAT32 or FLOAT64"));
        return new InversionSettings(iterations, damp, noise, seed, elements, model);
    }

    /** An inversion on the ranks of a backend. */
    interface Inversion {
        /**
         * Collective: inverts.
         *
         * @param watch what is to be seen of it
         */
        Outcome run(Backend backend, Watch watch);
    }

    /**
     * Returns the shape of the model file.
     *
     * @throws ParameterException if it cannot be read
     */
    long[] modelShape(CommandSpec command, Path file) {
        try {
            return Npy.shape(file);
        } catch (IOException e) {
            throw new ParameterException(command.commandLine(), "--model " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Runs an inversion, in this process or in new ones; returns the exit code.
     *
     * @param parts largest number of ranks that have something to do
     * @param bytes memory that all ranks need together, about
     * @param title what is inverted
     */
    int run(CommandSpec command, long parts, double bytes, String title, Inversion inversion) {
        Engine chosen =
                BenchOptions.understood(command, () -> engine == null ? Engine.selected() : Engine.named(engine));
        Ranks.ready(chosen);
        OutputFile.checkPicture(command, "--png", png);
        if (every != null && (every < 1 || png == null)) {
            throw new ParameterException(
                    command.commandLine(), "--every " + every + ": at least 1, and --png names the files");
        }
        if (ranks != null && ranks < 1) {
            throw new ParameterException(command.commandLine(), "-n " + ranks + ": at least 1 rank is needed");
        }
        boolean onGpus = !chosen.name().equals(Engine.DEFAULT);
        int places = onGpus ? Cuda.deviceCount() : Runtime.getRuntime().availableProcessors();
        Ranks.Check check = (wanted, here) -> {
            if (onGpus) {
                Ranks.checkGpus(command, here, false);
            } else {
                checkMemory(command, bytes * here / wanted);
            }
        };
        int usual = Math.clamp(parts, 1, Math.max(1, places));
        return Ranks.run(command, "-n", ranks, usual, checked, check, world -> {
            try (Communicator comm = chosen.communicator(world);
                    Backend backend = Backend.of(comm)) {
                boolean first = backend.rank() == 0;
                PrintWriter out = command.commandLine().getOut();
                String head = title + ", " + type + ", " + backend.size() + (backend.size() == 1 ? " rank" : " ranks")
                        + ", " + backend.compute().name();
                if (first) {
                    out.println(head);
                    out.flush();
                }
                Outcome outcome = inversion.run(backend, watch(first, head));
                if (first) {
                    outcome.lines().forEach(out::println);
                    out.flush();
                    if (png != null) {
                        String caption = head + ": " + outcome.lines().getLast();
                        draw(png, caption, outcome.sections(), outcome.measure(), outcome.costs());
                    }
                }
                return 0;
            }
        });
    }

    /** More than the machine has ends in a killed process. */
    private static void checkMemory(CommandSpec command, double bytes) {
        double there =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        if (bytes > there) {
            throw new ParameterException(
                    command.commandLine(),
                    String.format(
                            Locale.ROOT,
                            "the ranks on this host need about %.1f GiB, and it has %.1f GiB; take smaller sizes",
                            bytes / (1L << 30),
                            there / (1L << 30)));
        }
    }

    private Watch watch(boolean first, String title) {
        return new Watch(
                Ranks.isTerminal(), png != null, every == null ? 0 : every, (iteration, sections, measure, costs) -> {
                    if (png != null && first) {
                        draw(
                                frame(png, iteration),
                                title + ": after " + iteration + " iterations",
                                sections,
                                measure,
                                costs);
                    }
                });
    }

    /** The name of a picture with the number of its iteration: a.png becomes a-0010.png. */
    private static Path frame(Path png, int iteration) {
        String name = Objects.toString(png.getFileName());
        int end = name.toLowerCase(Locale.ROOT).endsWith(".png") ? name.length() - 4 : name.length();
        return png.resolveSibling(String.format(Locale.ROOT, "%s-%04d.png", name.substring(0, end), iteration));
    }

    private static void draw(Path file, String title, List<Section> sections, String measure, double... costs) {
        try {
            Picture.write(file, title, sections, measure, costs);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}
