// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.comm4j.core.launch.Launcher;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.core.spi.Engine;
import org.comm4j.ffi.QuitSignal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comm4j run}: starts a program on several ranks of this machine, or of several hosts by MPI's launcher. */
@Command(
        name = "run",
        description = "Start a Java program on several ranks, of this machine unless --hosts says otherwise.",
        footer = {
            "",
            "Examples:",
            "  comm4j run -n 4 Hello.java",
            "      A source file; comm4j is on its class path.",
            "  comm4j run -n 4 -- -cp app.jar Main",
            "      Whatever java takes.",
            "  comm4j run -n 4 invert poststack",
            "      A command of comm4j: invert, jacobi, prk or bench.",
            "  comm4j run -n 4 --engine mpi --hosts a:2,b:2 Hello.java",
            "      On two hosts, by the launcher of the MPI library.",
            "  comm4j run --jvm=-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=500%%r Hello.java",
            "      A debugger's port for each rank.",
            "",
            "kill -QUIT of this process, or the end by --timeout, shows what each rank is doing.",
            "",
            "Exits with the code of the first rank that fails, 128 + signal if it was killed."
        },
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    /** The engine whose ranks an MPI library's launcher has to start. */
    private static final String MPI = "mpi";

    @Option(
            names = {"-n", "--ranks"},
            paramLabel = "N",
            defaultValue = "2",
            description = "Number of ranks; default: ${DEFAULT-VALUE}.")
    private int ranks;

    @Option(names = "--engine", paramLabel = "E", description = "Engine of World.communicator(); default: host.")
    private @Nullable String engine;

    @Option(
            names = "--hosts",
            paramLabel = "H[:N]",
            split = ",",
            description = "Hosts of the ranks, which the launcher of an MPI library starts; :N for so many on one.")
    private List<String> hosts = List.of();

    @Option(names = "--env", paramLabel = "K=V", description = "Environment variable of the ranks; may be repeated.")
    private Map<String, String> environment = Map.of();

    @Option(names = "--checked", description = "Ranks check that they call the same operations.")
    private boolean checked;

    @Option(names = "--keep-going", description = "Do not end the other ranks when one fails.")
    private boolean keepGoing;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "End the job when it has run that long.")
    private @Nullable Integer timeout;

    @Option(
            names = "--jvm",
            paramLabel = "OPTION",
            description = "Option of the ranks' JVMs, in which %%r is the rank; may be repeated.")
    private List<String> jvmOptions = List.of();

    @Parameters(
            arity = "1..*",
            paramLabel = "PROGRAM",
            description =
                    "Hello.java and its arguments, or a command of comm4j and its words, or after -- the arguments of"
                            + " java.")
    private List<String> program = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        if (ranks < 1) {
            throw new ParameterException(spec.commandLine(), "-n " + ranks + ": at least 1 rank is needed");
        }
        if (timeout != null && timeout < 1) {
            throw new ParameterException(spec.commandLine(), "--timeout " + timeout + ": at least 1 second");
        }
        Launcher launcher = Launcher.ranks(ranks).keepGoing(keepGoing).jvmOptions(jvmOptions.toArray(String[]::new));
        environment.forEach(launcher::environment);
        String wanted = engine;
        if (wanted != null) {
            // What is wrong with it is reported once, here, rather than by every rank.
            launcher.engine(Ranks.ready(BenchOptions.understood(spec, () -> Engine.named(wanted)))
                    .name());
        }
        if (MPI.equals(wanted) || !hosts.isEmpty()) {
            launcher.by(mpiexec(), hosts);
        }
        if (checked) {
            launcher.checked(true);
        }
        if (timeout != null) {
            launcher.timeout(Duration.ofSeconds(timeout));
        }
        String first = program.getFirst();
        if (first.endsWith(".java")) {
            launcher.source(Path.of(first), program.subList(1, program.size()).toArray(String[]::new));
        } else if (Ranks.hasRanks(spec, first)) {
            // As a rank such a command starts no others.
            launcher.java(Ranks.ranksOf(program).toArray(String[]::new));
        } else {
            String problem = ProgramWords.problem(
                    first,
                    Ranks.PARALLEL,
                    spec.root().subcommands().keySet(),
                    ProgramWords.classPath(
                            jvmOptions, environment.keySet(), System.getProperty("java.class.path", "")));
            if (problem != null) {
                throw new ParameterException(spec.commandLine(), problem);
            }
            launcher.java(program.toArray(String[]::new));
        }
        QuitSignal.listen(launcher::report);
        return launcher.run();
    }

    /** The launcher of the library that the engine would find, too. */
    private Mpiexec mpiexec() {
        return Mpiexec.all(System.getenv()).stream()
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "there is no launcher of an MPI library to start the ranks with: install Open MPI or MPICH (apt"
                                + " install openmpi-bin, dnf install openmpi, pip install mpich), load the module of"
                                + " your cluster, or name the installation in " + Mpiexec.VARIABLE));
    }
}
