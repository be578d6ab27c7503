// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.core.CommException;
import org.comm4j.core.rendezvous.PrivateFolder;
import org.jspecify.annotations.Nullable;

/**
 * Starts the ranks of a job as processes of this machine, and stays until they have ended: what {@code comm4j run}
 * does.
 *
 * <pre>{@code
 * int exitCode = Launcher.ranks(4).source(Path.of("Hello.java"), "argument").run();
 * }</pre>
 *
 * <p><b>Ranks</b> run on this JVM's {@code java}, with its module path and class path; all comm4j modules that export
 * anything are resolved and may call native code as far as they have to. Options given by {@link #jvmOptions} come
 * after those that the launcher sets itself, so they win: {@code -XX:MaxRAMPercentage}, a rank's share of three
 * quarters of the memory but at most the JVM's default of 25 %, and {@code -XX:+UseSerialGC} if there are fewer than
 * four processors per rank, since every other collector would start as many threads per rank as there are processors.
 * The latter is left out if any garbage collector is chosen, be it in {@code JDK_JAVA_OPTIONS} or {@code
 * JAVA_TOOL_OPTIONS}. Where the folder of comm4j's modules has an archive of their classes, {@code classes.aot}, as
 * {@code ./comm4j} makes it, ranks start with that, unless there is another choice of archives.
 *
 * <p><b>Output</b> is copied line by line, with the rank in front ({@code [2] }), standard output and standard error
 * apart. Lines of different ranks never mix; those longer than 64 KiB are broken. A last line without end gets one. A
 * single rank's output passes as it is; it then even writes directly to this process's streams, unless {@link #output}
 * says otherwise. <b>Input</b>: standard input is empty for each rank, except a single one's, which reads this
 * process's.
 *
 * <p><b>Reports.</b> Before a job is ended because its time is up, each rank writes on its standard error what its
 * threads wait for, with their stacks, unless {@code COMM4J_QUIET} is set; {@link #report} has them do so at any time.
 *
 * <p><b>The end.</b> When a rank exits with a code other than 0, or is killed, or calls {@link
 * org.comm4j.core.World#abort}, one line on standard error says so, all other ranks and what they have started get
 * SIGTERM, and two seconds later SIGKILL. {@link #run} returns the first failing rank's exit code, for a killed one
 * 128 + signal. When this process itself is ended (Ctrl-C, SIGTERM, SIGHUP), it ends the ranks in the same way first.
 * When it is killed, ranks that have joined their world notice and end themselves.
 *
 * <p>Not thread-safe; {@link #run} may be called several times, and in several launchers at once.
 */
public final class Launcher {

    /** What a JVM that does nothing takes at least. */
    private static final long RANK_BYTES = 40L << 20;

    /** The module whose code may call native code. */
    private static final String NATIVE_MODULE = "org.comm4j.ffi";

    /** The JVM's archive of classes that are loaded and linked, beside the modules that it was made with. */
    private static final String ARCHIVE = "classes.aot";

    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");
    private static final Set<String> MODULE_PATH = Set.of("-p", "--module-path");

    /** Other options of the java command whose value is a word of its own. */
    private static final Set<String> WITH_VALUE = Set.of(
            "--add-modules",
            "--add-exports",
            "--add-opens",
            "--add-reads",
            "--limit-modules",
            "--patch-module",
            "--upgrade-module-path",
            "--enable-native-access",
            "--source");

    private final int ranks;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private List<String> arguments = List.of();
    private @Nullable Path source;
    private @Nullable OutputStream out;
    private @Nullable OutputStream err;
    private @Nullable IntFunction<String> prefix;
    private Duration timeout = Duration.ofDays(100 * 365);
    private Duration grace = Duration.ofSeconds(2);
    private boolean keepGoing;
    private @Nullable Mpiexec mpiexec;
    private List<String> hosts = List.of();
    private volatile @Nullable RankProcesses running;

    private Launcher(int ranks) {
        this.ranks = ranks;
    }

    /**
     * A launcher of this many ranks, at least 1.
     *
     * @throws IllegalArgumentException if {@code ranks} is below 1
     */
    public static Launcher ranks(int ranks) {
        if (ranks < 1) {
            throw new IllegalArgumentException("a job has at least 1 rank, not " + ranks);
        }
        return new Launcher(ranks);
    }

    /** Runs a program that is one source file, compiled once, with these arguments. */
    public Launcher source(Path file, String... programArguments) {
        nonNull(file, "source", "file");
        nonNull(programArguments, "source", "programArguments");
        source = file;
        arguments = List.of(programArguments);
        return this;
    }

    /**
     * Runs {@code java} with these arguments: options, then a main class, {@code -m module/class} or {@code -jar file},
     * then the program's own arguments. A class path or module path among them is put before this JVM's.
     */
    public Launcher java(String... javaArguments) {
        nonNull(javaArguments, "java", "javaArguments");
        source = null;
        arguments = List.of(javaArguments);
        return this;
    }

    /** Sets an environment variable of all ranks; the rest of the environment is this process's. */
    public Launcher environment(String name, String value) {
        nonNull(name, "environment", "name");
        nonNull(value, "environment", "value");
        environment.put(name, value);
        return this;
    }

    /** Names the engine of {@code World.communicator()}: sets {@code COMM4J_ENGINE}. */
    public Launcher engine(String name) {
        nonNull(name, "engine", "name");
        return environment("COMM4J_ENGINE", name);
    }

    /** Whether ranks check that they call the same operations: sets {@code COMM4J_CHECKED}. */
    public Launcher checked(boolean checked) {
        return environment("COMM4J_CHECKED", checked ? "1" : "0");
    }

    /** Adds options of the ranks' JVMs; {@code %r} in them stands for the rank. */
    public Launcher jvmOptions(String... options) {
        nonNull(options, "jvmOptions", "options");
        jvmOptions.addAll(List.of(options));
        return this;
    }

    /**
     * Has ranks started by the launcher of an MPI library, on this machine or on {@code hosts}, which have this program
     * and comm4j at the same places. What comm4j's launcher does otherwise is then that one's business: the end of the
     * job when a rank fails, and the exit code.
     *
     * @param hosts as the launcher knows them, with {@code :N} for so many ranks; empty for this machine
     */
    public Launcher by(Mpiexec launcher, List<String> hosts) {
        nonNull(launcher, "by", "launcher");
        nonNull(hosts, "by", "hosts");
        this.mpiexec = launcher;
        this.hosts = List.copyOf(hosts);
        return this;
    }

    /** Whether the other ranks go on when one fails; by default they are ended. */
    public Launcher keepGoing(boolean keepGoing) {
        this.keepGoing = keepGoing;
        return this;
    }

    /** How long ranks that are being ended may take before they are killed; 2 s by default. */
    public Launcher grace(Duration grace) {
        nonNull(grace, "grace", "grace");
        if (grace.isNegative()) {
            throw new IllegalArgumentException("a grace period is not negative: " + grace);
        }
        this.grace = grace;
        return this;
    }

    /** Ends the job when it has run that long, with exit code 124; by default it may run for ever. */
    public Launcher timeout(Duration timeout) {
        nonNull(timeout, "timeout", "timeout");
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("a timeout is above zero, not " + timeout);
        }
        this.timeout = timeout;
        return this;
    }

    /** Where the ranks' standard output and standard error go, and the launcher's own words; closed by nobody. */
    public Launcher output(OutputStream standardOutput, OutputStream standardError) {
        nonNull(standardOutput, "output", "standardOutput");
        nonNull(standardError, "output", "standardError");
        out = standardOutput;
        err = standardError;
        return this;
    }

    /** What stands before each line of a rank; {@code [rank] } by default, nothing if there is one rank only. */
    public Launcher prefix(IntFunction<String> prefixOfRank) {
        nonNull(prefixOfRank, "prefix", "prefixOfRank");
        prefix = prefixOfRank;
        return this;
    }

    /**
     * Starts the ranks and returns when all have ended.
     *
     * @return 0; the exit code of the rank that failed first, 128 + signal if it was killed; 1 if the source file has
     *     errors, which have been printed then; 124 if time ran out
     * @throws IllegalArgumentException if there is nothing to run, or no such file
     * @throws CommException if the memory is not enough for so many ranks, a process cannot be started, or this thread
     *     is interrupted (then all ranks have been ended)
     */
    public int run() {
        if (arguments.isEmpty() && source == null) {
            throw new IllegalArgumentException("nothing to run: give a source file or java's arguments");
        }
        checkMemory(ranks, availableMemory());
        if (source != null && !Files.isRegularFile(source)) {
            throw new IllegalArgumentException("there is no file " + source);
        }
        try (PrivateFolder folder = PrivateFolder.open(System.getenv())) {
            // Also when this process is ended while the ranks run.
            Thread cleaning = new Thread(folder::close, "comm4j-run-cleaning");
            return Hooks.during(cleaning, () -> run(folder));
        } finally {
            // Those of launchers that were killed. Now nobody waits for a job to begin.
            PrivateFolder.sweep(System.getenv());
        }
    }

    private int run(PrivateFolder folder) {
        OutputStream errors = err == null ? System.err : err;
        List<String> words = words(folder, errors);
        if (words == null) {
            return 1;
        }
        if (mpiexec != null) {
            return runBy(mpiexec, words, errors);
        }
        IntFunction<String> prefixes = prefix != null ? prefix : ranks == 1 ? rank -> "" : rank -> "[" + rank + "] ";
        boolean direct = ranks == 1 && out == null && err == null && prefix == null;
        RankProcesses processes = new RankProcesses(
                ranks,
                new RankProcesses.Output(direct, out == null ? System.out : out, errors, prefixes),
                new RankProcesses.Rules(grace, timeout, keepGoing));
        running = processes;
        try {
            List<String> all = words;
            return processes.run(rank -> javaCommand(all, rank), environment, folder.socket());
        } finally {
            running = null;
        }
    }

    /** Returns what follows java's options; null if the source file has errors, which have been told then. */
    private @Nullable List<String> words(PrivateFolder folder, OutputStream errors) {
        Path file = source;
        if (file == null) {
            return arguments;
        }
        List<String> words = new ArrayList<>();
        if (mpiexec != null && !hosts.isEmpty()) {
            // The other hosts do not see this one's private folder; each rank compiles for itself.
            words.add(file.toAbsolutePath().toString());
        } else {
            PrintWriter messages = new PrintWriter(new OutputStreamWriter(errors, StandardCharsets.UTF_8));
            SourceProgram program =
                    SourceProgram.compile(file, folder.path().resolve("classes"), compilerOptions(), messages);
            if (program == null) {
                return null;
            }
            words.addAll(List.of("-cp", program.classPath(), program.mainClass()));
        }
        words.addAll(arguments);
        return words;
    }

    private int runBy(Mpiexec by, List<String> words, OutputStream errors) {
        jvmOptions.stream().filter(option -> option.contains("%r")).findFirst().ifPresent(option -> {
            throw new IllegalArgumentException(
                    "the JVM's option " + option + " has %r, but " + by.file() + " gives all ranks the same command");
        });
        MpiProcesses processes = new MpiProcesses(
                by, ranks, hosts, environment, keepGoing, timeout, grace, out == null ? System.out : out, errors);
        return processes.run(javaCommand(words, option -> option));
    }

    /**
     * Has each rank of the running job write on its standard error what it is doing: what its threads wait for, and
     * their stacks. Returns when all have, or two seconds have passed. Without effect if no job runs. May be called by
     * any thread.
     */
    public void report() {
        RankProcesses processes = running;
        if (processes != null) {
            try {
                processes.report();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The whole command of a rank. */
    private List<String> javaCommand(List<String> words, int rank) {
        return javaCommand(words, option -> option.replace("%r", Integer.toString(rank)));
    }

    private List<String> javaCommand(List<String> words, UnaryOperator<String> option) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        int processors = Runtime.getRuntime().availableProcessors();
        if (processors < 4 * ranks && !chooses(words, "-XX:\\+Use\\w+GC\\b")) {
            command.add("-XX:+UseSerialGC");
        }
        if (!chooses(words, "-XX:(AOT|SharedArchive)|-Xshare|(-m|--module)$")) {
            command.addAll(archiveOptions(property("jdk.module.path")));
        }
        command.add("-XX:MaxRAMPercentage=" + Math.min(25.0, 75.0 / ranks));
        command.addAll(moduleOptions());
        command.add("--enable-native-access="
                + (ModuleLayer.boot().findModule(NATIVE_MODULE).isPresent() ? NATIVE_MODULE : "ALL-UNNAMED"));
        List<String> rest = new ArrayList<>();
        jvmOptions.forEach(each -> rest.add(option.apply(each)));
        rest.addAll(words);
        command.addAll(withPaths(rest, property("java.class.path"), property("jdk.module.path")));
        return command;
    }

    private List<String> compilerOptions() {
        List<String> options = new ArrayList<>(moduleOptions());
        if (jvmOptions.contains("--enable-preview")) {
            options.addAll(List.of(
                    "--enable-preview", "--release", "" + Runtime.version().feature()));
        }
        List<String> paths = withPaths(jvmOptions, property("java.class.path"), property("jdk.module.path"));
        for (int i = 0; i + 1 < paths.size(); i++) {
            if (CLASS_PATH.contains(paths.get(i)) || MODULE_PATH.contains(paths.get(i))) {
                options.addAll(paths.subList(i, i + 2));
            }
        }
        return options;
    }

    /** Makes comm4j's modules known to programs that are not modules themselves. Applications among them stay out. */
    private static List<String> moduleOptions() {
        String names = String.join(
                ",",
                ModuleLayer.boot().modules().stream()
                        .filter(m -> m.getName().startsWith("org.comm4j."))
                        .filter(m -> !m.getDescriptor().exports().isEmpty()
                                || m.getName().equals(NATIVE_MODULE))
                        .map(Module::getName)
                        .sorted()
                        .toList());
        return names.isEmpty() ? List.of() : List.of("--add-modules", names);
    }

    private static String property(String name) {
        return System.getProperty(name, "");
    }

    /** The options of java with our paths appended to those given there, or put in front if there are none. */
    static List<String> withPaths(List<String> words, String classPath, String modulePath) {
        List<String> result = new ArrayList<>();
        String classes = classPath;
        String modules = modulePath;
        int i = 0;
        for (; i < words.size() && words.get(i).matches("[-@].*"); i++) {
            String word = words.get(i);
            if (word.equals("-jar") || word.equals("-m") || word.equals("--module")) {
                break;
            }
            int equals = word.indexOf('=');
            String option = equals < 0 ? word : word.substring(0, equals);
            boolean isClassPath = CLASS_PATH.contains(option);
            if (isClassPath || MODULE_PATH.contains(option)) {
                String value = equals >= 0 ? word.substring(equals + 1) : i + 1 < words.size() ? words.get(++i) : "";
                // The last one counts, as for java itself.
                if (isClassPath) {
                    classes = join(value, classPath);
                } else {
                    modules = join(value, modulePath);
                }
                continue;
            }
            result.add(word);
            if (WITH_VALUE.contains(word) && i + 1 < words.size()) {
                result.add(words.get(++i));
            }
        }
        if (!modules.isEmpty()) {
            result.addFirst(modules);
            result.addFirst("--module-path");
        }
        if (!classes.isEmpty()) {
            result.addFirst(classes);
            result.addFirst("--class-path");
        }
        result.addAll(words.subList(i, words.size()));
        return result;
    }

    private static String join(String first, String second) {
        return second.isEmpty() ? first : first.isEmpty() ? second : first + File.pathSeparator + second;
    }

    /** Has the JVM load classes from an archive. One that does not fit any more is as if there were none. */
    static List<String> archiveOptions(String modulePath) {
        if (modulePath.isEmpty() || modulePath.contains(File.pathSeparator)) {
            return List.of();
        }
        Path archive = Path.of(modulePath, ARCHIVE);
        return Files.isRegularFile(archive)
                ? List.of("-XX:AOTCache=" + archive, "-XX:+VerifySharedSpaces", "-Xlog:aot*=off", "-Xlog:cds*=off")
                : List.of();
    }

    /** Whether an option is given that a pattern is found in. */
    private boolean chooses(List<String> words, String option) {
        return Stream.of(
                        words.stream(),
                        jvmOptions.stream(),
                        Stream.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")
                                .map(v -> environment.getOrDefault(
                                        v, System.getenv().getOrDefault(v, ""))))
                .flatMap(s -> s)
                .anyMatch(Pattern.compile("(?:^|\\s)(?:" + option + ")").asPredicate());
    }

    /** Refuses what can only end in swapping or in the kernel's killing somebody. */
    static void checkMemory(int ranks, long available) {
        long needed = ranks * RANK_BYTES;
        if (needed > available) {
            throw new CommException(ranks + " ranks need at least " + (needed >> 20) + " MiB of memory, "
                    + (available >> 20) + " MiB are available: start at most " + Math.max(1, available / RANK_BYTES));
        }
    }

    /** Bytes that new processes can use, as far as Linux says; without limit elsewhere. */
    private static long availableMemory() {
        long available = Long.MAX_VALUE;
        try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
            available = lines.filter(l -> l.startsWith("MemAvailable:"))
                    .mapToLong(l -> Long.parseLong(l.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
            long limit = Long.parseLong(
                    Files.readString(Path.of("/sys/fs/cgroup/memory.max")).strip());
            long used = Long.parseLong(
                    Files.readString(Path.of("/sys/fs/cgroup/memory.current")).strip());
            return Math.min(available, limit - used);
        } catch (IOException | NumberFormatException e) {
            // Not Linux, or no limit ("max") for this control group.
            return available;
        }
    }
}
