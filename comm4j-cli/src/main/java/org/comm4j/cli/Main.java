// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.comm4j.core.spi.LastWords;
import org.comm4j.core.spi.Suggestion;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code comm4j} command. Exits with what the subcommand returns; a subcommand that fails prints one line and exits
 * with 1, a command line that cannot be understood exits with 2.
 */
@Command(
        name = "comm4j",
        description = "Communication for Java programs: from threads of one machine to clusters of GPUs.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "In a source tree, ./comm4j install puts the modules into the local Maven repository."})
public final class Main implements Runnable {
    private static final List<Class<?>> COMMANDS = List.of(
            RunCommand.class,
            JacobiCommand.class,
            BenchCommand.class,
            KernelCommand.class,
            BindCommand.class,
            PrkCommand.class,
            InvertCommand.class,
            DoctorCommand.class,
            CompletionCommand.class,
            CommandLine.HelpCommand.class);

    /** Less leaves no room beside the options, more is hard to read. */
    private static final int NARROWEST = 60;

    private static final int WIDEST = 120;

    @Option(names = "--debug", description = "Print stack traces of errors.", scope = ScopeType.INHERIT)
    private boolean debug;

    @Spec
    private @Nullable CommandSpec spec;

    private Main() {}

    public static void main(String[] args) {
        // Pictures go to files: a screen that the environment names need not be there.
        System.setProperty("java.awt.headless", "true");
        StandardOutput standard = StandardOutput.install();
        PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
        PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
        int code = execute(out, err, args);
        String lost = standard.lost();
        if (lost != null) {
            err.println("comm4j: not all output could be written: " + lost);
        }
        System.exit(lost != null && code == 0 ? CommandLine.ExitCode.SOFTWARE : code);
    }

    /** Runs a command line and returns the exit code. */
    static int execute(PrintWriter out, PrintWriter err, String... words) {
        Set<String> said = Set.copyOf(Arrays.asList(words));
        // The script that completes words knows the options of all, and words in a file are not known yet.
        boolean all = said.stream().anyMatch(word -> word.equals("completion") || word.startsWith("@"));
        return commandLine(out, err, name -> all || said.contains(name)).execute(words);
    }

    /** The whole command; {@code execute} returns the exit code. */
    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return commandLine(out, err, _ -> true);
    }

    /** @param read whether a command of this name is read */
    private static CommandLine commandLine(PrintWriter out, PrintWriter err, Predicate<String> read) {
        Main main = new Main();
        CommandLine whole = new CommandLine(main);
        Subcommands.add(whole, COMMANDS, read);
        whole.setCaseInsensitiveEnumValuesAllowed(true);
        whole.setUsageHelpWidth(width(System.getenv("COLUMNS")));
        withoutVersions(whole);
        // What comes behind a program's name is the program's.
        Objects.requireNonNull(whole.getSubcommands().get("run")).setStopAtPositional(true);
        return whole.setOut(out)
                .setErr(err)
                // "bench --engine nvshmem" names an engine, though "bench nvshmem" is a command, too.
                .setAllowSubcommandsAsOptionParameters(true)
                .setParameterExceptionHandler(Main::misunderstood)
                .setExecutionStrategy(parsed -> {
                    try {
                        return new CommandLine.RunLast().execute(parsed);
                    } catch (CommandLine.ExecutionException e) {
                        return main.failed(e.getCause() == null ? e : e.getCause(), err);
                    } catch (Error e) {
                        return main.failed(e, err);
                    }
                });
    }

    /** The width of help on a terminal of so many columns; picocli's own if that is not known. */
    static int width(@Nullable String columns) {
        if (columns != null && columns.matches("\\d{1,4}")) {
            return Math.clamp(Integer.parseInt(columns), NARROWEST, WIDEST);
        }
        return UsageMessageSpec.DEFAULT_USAGE_WIDTH;
    }

    /** Only the whole has a version; -V is something else for nccl-tests. */
    private static void withoutVersions(CommandLine command) {
        for (CommandLine each : command.getSubcommands().values()) {
            CommandSpec spec = each.getCommandSpec();
            OptionSpec version = spec.findOption("--version");
            if (version != null) {
                spec.remove(version);
            }
            withoutVersions(each);
        }
    }

    /** Without a subcommand there is nothing to do but to say which ones there are. */
    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Missing COMMAND: one of "
                            + String.join(", ", spec.subcommands().keySet()));
        }
    }

    private static int misunderstood(ParameterException e, String[] words) {
        CommandSpec command = e.getCommandLine().getCommandSpec();
        PrintWriter err = e.getCommandLine().getErr();
        String unknown = unknownOption(e, words);
        err.println("comm4j: " + (unknown == null ? complaint(e, command) : "Unknown option: '" + unknown + "'"));
        if (unknown == null
                && e instanceof UnmatchedArgumentException unmatched
                && unmatched.isUnknownOption()
                && command.name().equals("run")) {
            err.println("Options of java follow after --, as in comm4j run -n 4 -- -cp CLASSES Main.");
        }
        err.println("Try '" + command.qualifiedName() + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    private static String complaint(ParameterException e, CommandSpec command) {
        return e instanceof UnmatchedArgumentException unmatched
                        && !unmatched.isUnknownOption()
                        && !command.subcommands().isEmpty()
                        && command.positionalParameters().isEmpty()
                ? "there is no "
                        + command.usageMessage().synopsisSubcommandLabel().toLowerCase(Locale.ROOT)
                        + " '" + unmatched.getUnmatched().getFirst() + "'; there are "
                        + String.join(", ", command.subcommands().keySet())
                        + Suggestion.of(
                                unmatched.getUnmatched().getFirst(),
                                command.subcommands().keySet())
                : String.valueOf(e.getMessage());
    }

    /** The option that there is not, whose value seemed to be a parameter that cannot be it; null if it is not that. */
    private static @Nullable String unknownOption(ParameterException e, String[] words) {
        if (e.getArgSpec() == null || !e.getArgSpec().isPositional()) {
            return null;
        }
        return Arrays.stream(words)
                .takeWhile(word -> !word.equals("--"))
                .filter(word -> word.startsWith("--"))
                .map(word -> word.replaceFirst("=.*", ""))
                .filter(word -> Stream.iterate(e.getCommandLine(), Objects::nonNull, CommandLine::getParent)
                        .allMatch(command -> command.getCommandSpec().findOption(word) == null))
                .findFirst()
                .orElse(null);
    }

    private int failed(Throwable e, PrintWriter err) {
        LastWords.say(e);
        if (debug) {
            e.printStackTrace(err);
        } else {
            String message = e.getMessage();
            err.println("comm4j: " + (message == null || e instanceof Error ? e.toString() : message));
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
