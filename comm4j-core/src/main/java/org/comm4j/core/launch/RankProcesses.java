// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.comm4j.core.CommException;
import org.comm4j.core.rendezvous.Hub;
import org.comm4j.core.rendezvous.HubServer;
import org.comm4j.core.rendezvous.Job;
import org.comm4j.core.rendezvous.Watcher;
import org.comm4j.core.spi.Setting;
import org.comm4j.core.spi.Standstill;
import org.jspecify.annotations.Nullable;

/** The processes of one job, from their start to the end of the last one. */
final class RankProcesses {

    /** Of ranks that fail at about the same time, the one that left first is to blame. */
    private static final Duration SETTLE = Duration.ofMillis(50);

    /** How long the rank that left its world first may take to end: its exit code says whether it is to blame. */
    private static final Duration LEAVING = Duration.ofSeconds(2);

    /** How long an output stream that somebody holds open after its rank has ended is waited for. */
    private static final Duration HELD_OPEN = Duration.ofSeconds(1);

    /** How long processes may take to disappear once they are killed. */
    private static final Duration KILLED = Duration.ofSeconds(2);

    private static final int TIMED_OUT = 124;

    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(6, "SIGABRT"),
            Map.entry(7, "SIGBUS"),
            Map.entry(8, "SIGFPE"),
            Map.entry(9, "SIGKILL"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(15, "SIGTERM"));

    /**
     * Where output goes.
     *
     * @param direct whether the ranks use this process's own streams, input included
     */
    record Output(boolean direct, OutputStream out, OutputStream err, IntFunction<String> prefix) {}

    /** When and how the job is ended. */
    record Rules(Duration grace, Duration timeout, boolean keepGoing) {}

    /** How long ranks may take to write what they are doing. */
    private static final Duration REPORTED = Duration.ofSeconds(2);

    /** What the ranks' threads tell the one that supervises. */
    private sealed interface Event {
        record Exited(int rank, int code) implements Event {}

        record Aborted(int rank, int code, String reason) implements Event {}
    }

    private final int size;
    private final Output output;
    private final Rules rules;
    private final LinePump.Sink out;
    private final LinePump.Sink err;
    private final String token = HubServer.newToken();
    private final Hub hub;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<Process> processes = new CopyOnWriteArrayList<>();
    private final List<LinePump> pumps = new ArrayList<>();
    private volatile @Nullable HubServer server;
    private volatile boolean shuttingDown;
    private boolean quiet;

    /** The ranks whose exit codes the supervising thread has read. */
    private final Set<Integer> ended = new HashSet<>();

    RankProcesses(int size, Output output, Rules rules) {
        this.size = size;
        this.output = output;
        this.rules = rules;
        out = new LinePump.Sink(output.out());
        err = output.err().equals(output.out()) ? out : new LinePump.Sink(output.err());
        hub = new Hub(size);
        hub.watch(new Watcher() {
            @Override
            public void aborted(int rank, int exitCode, String reason) {
                events.add(new Event.Aborted(rank, exitCode, reason));
            }

            @Override
            public void refused(String why) {
                say("turned away " + why);
            }
        });
    }

    /** Runs the job; returns its exit code. */
    int run(IntFunction<List<String>> command, Map<String, String> environment, UnixDomainSocketAddress rendezvous) {
        quiet = Setting.isOn(environment.getOrDefault(Standstill.QUIET, System.getenv(Standstill.QUIET)), false);
        try (HubServer opened = HubServer.open(hub, rendezvous, token)) {
            server = opened;
            Thread ending = new Thread(
                    () -> {
                        shuttingDown = true;
                        endAll();
                    },
                    "comm4j-run-ending");
            return Hooks.during(ending, () -> {
                boolean over = false;
                try {
                    start(command, environment, rendezvous);
                    int code = supervise();
                    over = true;
                    for (LinePump pump : pumps) {
                        pump.await(HELD_OPEN.toNanos());
                    }
                    return code;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new CommException("interrupted while the ranks ran; they have been ended", e);
                } finally {
                    if (!over) {
                        endAll();
                    }
                }
            });
        }
    }

    private void start(
            IntFunction<List<String>> command, Map<String, String> environment, UnixDomainSocketAddress rendezvous) {
        File nothing = new File(File.separatorChar == '\\' ? "NUL" : "/dev/null");
        for (int rank = 0; rank < size && !shuttingDown; rank++) {
            ProcessBuilder builder = new ProcessBuilder(command.apply(rank));
            Map<String, String> variables = builder.environment();
            variables.putAll(environment);
            variables.put(Job.RANK, "" + rank);
            variables.put(Job.SIZE, "" + size);
            variables.put(Job.LOCAL_RANK, "" + rank);
            variables.put(Job.LOCAL_SIZE, "" + size);
            variables.put(Job.LAUNCHER, "" + ProcessHandle.current().pid());
            variables.put(Job.RENDEZVOUS, rendezvous.getPath().toString());
            variables.put(Job.TOKEN, token);
            if (output.direct()) {
                builder.inheritIO();
            } else {
                builder.redirectInput(ProcessBuilder.Redirect.from(nothing));
            }
            Process process;
            try {
                process = builder.start();
            } catch (IOException e) {
                throw new CommException("rank " + rank + " of " + size + " cannot be started: " + e.getMessage(), e);
            }
            processes.add(process);
            if (!output.direct()) {
                byte[] prefix = output.prefix().apply(rank).getBytes(StandardCharsets.UTF_8);
                boolean raw = size == 1 && prefix.length == 0;
                pumps.add(new LinePump("out of rank " + rank, process.getInputStream(), raw, prefix, out));
                pumps.add(new LinePump("err of rank " + rank, process.getErrorStream(), raw, prefix, err));
            }
            int me = rank;
            // Not Process.onExit, which needs a free thread of the common pool: its threads may be waiting for this
            // job.
            Thread.ofPlatform().daemon().name("comm4j-run-rank-" + rank).start(() -> {
                try {
                    events.add(new Event.Exited(me, process.waitFor()));
                } catch (InterruptedException e) {
                    throw new AssertionError("nobody knows this thread", e);
                }
            });
        }
    }

    /** Until all ranks have ended by themselves, or one event ends them all. */
    private int supervise() throws InterruptedException {
        long start = System.nanoTime();
        int code = 0;
        for (int running = processes.size(); running > 0; ) {
            Event event = events.poll(rules.timeout().toNanos() - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
            switch (event) {
                case Event.Aborted aborted -> {
                    say("rank " + aborted.rank() + " aborted the job with exit code " + aborted.code() + ": "
                            + aborted.reason());
                    endAll();
                    return aborted.code();
                }
                case Event.Exited exited -> {
                    running--;
                    ended.add(exited.rank());
                    // Whoever waits for it to join waits in vain.
                    hub.miss(exited.rank(), "has ended (" + fate(exited.code()) + ") without joining");
                    if (exited.code() == 0) {
                        continue;
                    }
                    if (rules.keepGoing()) {
                        code = code == 0 ? exited.code() : code;
                        say(describe(exited) + (running > 0 ? "; the others go on" : ""));
                        continue;
                    }
                    return fail(exited, running);
                }
                case null -> {
                    say("the job has not ended within " + rules.timeout().toMillis() / 1000.0 + " s; ending it");
                    if (!quiet) {
                        report();
                    }
                    endAll();
                    return TIMED_OUT;
                }
            }
        }
        return code;
    }

    /** Has each rank write on its standard error what it is doing. */
    void report() throws InterruptedException {
        HubServer asked = server;
        if (asked == null) {
            return;
        }
        Set<Integer> connected = asked.connected();
        for (int rank = 0; rank < processes.size(); rank++) {
            if (!connected.contains(rank) && processes.get(rank).isAlive()) {
                say("rank " + rank + " (pid " + processes.get(rank).pid() + ") has not joined its world");
            }
        }
        for (int silent : asked.report(REPORTED)) {
            say("rank " + silent + " (pid " + processes.get(silent).pid()
                    + ") does not say what it is doing: it is stopped," + " or has no processor");
        }
    }

    /** One rank has failed: finds out which one was first, says so, and ends the rest. */
    private int fail(Event.Exited exited, int running) throws InterruptedException {
        List<Event.Exited> failed = new ArrayList<>(List.of(exited));
        long start = System.nanoTime();
        int left = running;
        while (left > 0) {
            Duration limit = firstToLeaveIsRunning() ? LEAVING : SETTLE;
            Event next = events.poll(limit.toNanos() - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
            if (next == null) {
                break;
            }
            if (next instanceof Event.Aborted aborted) {
                // The one who ended first ended because of this.
                say("rank " + aborted.rank() + " aborted the job with exit code " + aborted.code() + ": "
                        + aborted.reason());
                endAll();
                return aborted.code();
            }
            if (next instanceof Event.Exited other) {
                left--;
                ended.add(other.rank());
                if (other.code() != 0) {
                    failed.add(other);
                }
            }
        }
        List<Integer> goneInOrder = hub.goneInOrder();
        Event.Exited first = failed.stream()
                .min(Comparator.comparingInt(
                        f -> goneInOrder.contains(f.rank()) ? goneInOrder.indexOf(f.rank()) : size))
                .orElse(exited);
        if (size > 1) {
            say(describe(first) + (left > 0 ? "; ending the others" : ""));
        } else if (first.code() > 128) {
            say(describe(first));
        }
        endAll();
        return first.code();
    }

    /** Returns whether the rank that left its world first has not ended yet. */
    private boolean firstToLeaveIsRunning() {
        List<Integer> gone = hub.goneInOrder();
        return !gone.isEmpty() && !ended.contains(gone.getFirst());
    }

    private String describe(Event.Exited exited) {
        return "rank " + exited.rank() + " (pid " + processes.get(exited.rank()).pid() + ") " + fate(exited.code());
    }

    /** What an exit code says; shells and the JDK alike give 128 + signal for a killed process. */
    private static String fate(int code) {
        String signal = SIGNALS.get(code - 128);
        return signal == null
                ? "exited with code " + code
                : "was killed by signal " + (code - 128) + " (" + signal + ")";
    }

    private void say(String message) {
        // When this process is being ended its user knows why.
        if (!shuttingDown) {
            byte[] line = ("comm4j run: " + message + "\n").getBytes(StandardCharsets.UTF_8);
            err.write(line, line.length);
        }
    }

    /** Ends all ranks and everything they have started: asks, and after the grace period kills. Does not fail. */
    private void endAll() {
        boolean interrupted = false;
        Set<ProcessHandle> asked = family();
        asked.forEach(ProcessHandle::destroy);
        interrupted |= awaitEnd(asked, rules.grace());
        Set<ProcessHandle> left = family();
        if (!left.isEmpty()) {
            left.forEach(ProcessHandle::destroyForcibly);
            interrupted |= awaitEnd(left, KILLED);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until none is alive; says whether this thread was interrupted, which does not end the wait. */
    private static boolean awaitEnd(Set<ProcessHandle> handles, Duration patience) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() < deadline && handles.stream().anyMatch(RankProcesses::runs)) {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }

    /** The ranks that are alive and what they have started, orphans included as far as Linux lets us see them. */
    private Set<ProcessHandle> family() {
        Set<ProcessHandle> family = new HashSet<>();
        for (Process process : processes) {
            process.descendants().forEach(family::add);
            family.add(process.toHandle());
        }
        ProcessHandle.allProcesses().filter(this::carriesToken).forEach(family::add);
        family.remove(ProcessHandle.current());
        family.removeIf(h -> !runs(h));
        return family;
    }

    /**
     * Whether a process is more than an entry that its parent has not collected yet, as happens to orphans in
     * containers.
     */
    static boolean runs(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        try {
            String status = Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "stat"), StandardCharsets.ISO_8859_1);
            // The state follows the program's name, which is in parentheses and may contain anything.
            return !status.startsWith(") Z", status.lastIndexOf(')'));
        } catch (IOException e) {
            // Gone since, or not Linux.
            return process.isAlive();
        }
    }

    private boolean carriesToken(ProcessHandle process) {
        try {
            Path environment = Path.of("/proc", Long.toString(process.pid()), "environ");
            return new String(Files.readAllBytes(environment), StandardCharsets.ISO_8859_1)
                    .contains(Job.TOKEN + "=" + token + "\0");
        } catch (IOException e) {
            // Another user's, gone, or not Linux.
            return false;
        }
    }
}
