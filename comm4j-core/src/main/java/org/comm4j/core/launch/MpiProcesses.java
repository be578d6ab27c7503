// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.core.CommException;
import org.jspecify.annotations.Nullable;

/** The ranks of one job, which the launcher of an MPI library starts, from their start to the launcher's end. */
final class MpiProcesses {
    private static final int TIMED_OUT = 124;

    /** Open MPI's mark of a line: {@code [1,0]<stdout>:}, or from 5.0 on {@code [prterun-host-7@1,0]<stdout>: }. */
    private static final Pattern MARK = Pattern.compile("^\\[[^\\]\\s]*,(\\d+)\\]<std(?:out|err)>: ?");

    private static final int FIRST_WITH_PRTE = 5;

    private final Mpiexec launcher;
    private final int ranks;
    private final List<String> hosts;
    private final Map<String, String> environment;
    private final boolean keepGoing;
    private final Duration timeout;
    private final Duration grace;
    private final OutputStream out;
    private final OutputStream err;

    MpiProcesses(
            Mpiexec launcher,
            int ranks,
            List<String> hosts,
            Map<String, String> environment,
            boolean keepGoing,
            Duration timeout,
            Duration grace,
            OutputStream out,
            OutputStream err) {
        this.launcher = launcher;
        this.ranks = ranks;
        this.hosts = hosts;
        this.environment = new TreeMap<>(environment);
        this.keepGoing = keepGoing;
        this.timeout = timeout;
        this.grace = grace;
        this.out = out;
        this.err = err;
        if (launcher.library() != null) {
            this.environment.putIfAbsent(Mpiexec.VARIABLE, launcher.library().toString());
        }
    }

    /** Runs {@code java} on every rank; returns the launcher's exit code, or 124 when time ran out. */
    int run(List<String> java) {
        ProcessBuilder builder = new ProcessBuilder(command(java, System.getProperty("user.name", "")));
        builder.environment().putAll(environment);
        if (ranks > 1) {
            builder.redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
        } else {
            builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
        }
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new CommException(launcher + " cannot be started: " + e.getMessage(), e);
        }
        Thread ending = new Thread(() -> end(process), "comm4j-run-ending");
        return Hooks.during(ending, () -> {
            boolean over = false;
            try {
                Thread first = pump(process.getInputStream(), out);
                Thread second = pump(process.getErrorStream(), err);
                int code = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : TIMED_OUT;
                over = code != TIMED_OUT;
                if (!over) {
                    end(process);
                    say("time is up after " + timeout.toSeconds() + " s; the job has been ended");
                }
                first.join(1000);
                second.join(1000);
                return code;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommException("interrupted while the ranks ran; they have been ended", e);
            } finally {
                if (!over) {
                    end(process);
                }
            }
        });
    }

    private void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }

    private void say(String text) {
        write(err, ("comm4j: " + text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** The launcher's command line. */
    List<String> command(List<String> java, String user) {
        List<String> words = new ArrayList<>(List.of(launcher.file().toString()));
        if (launcher.kind() == Mpiexec.Kind.OPEN_MPI) {
            openMpi(words, user);
        } else {
            hydra(words);
        }
        words.addAll(java);
        return words;
    }

    private void openMpi(List<String> words, String user) {
        boolean prte = launcher.major() >= FIRST_WITH_PRTE;
        if (user.equals("root")) {
            words.add("--allow-run-as-root");
        }
        words.addAll(prte ? List.of("--output", "tag") : List.of("--tag-output"));
        words.add("--oversubscribe");
        if (keepGoing) {
            if (!prte) {
                throw cannotKeepGoing();
            }
            words.addAll(List.of("--with-ft", "ulfm"));
        }
        if (!hosts.isEmpty()) {
            words.addAll(List.of("--host", String.join(",", hosts)));
        }
        // On this machine they are inherited.
        environment.keySet().forEach(name -> words.addAll(List.of("-x", name)));
        words.addAll(List.of("-n", Integer.toString(ranks)));
    }

    private void hydra(List<String> words) {
        words.add("-prepend-rank");
        if (keepGoing) {
            throw cannotKeepGoing();
        }
        if (!hosts.isEmpty()) {
            words.addAll(List.of("-hosts", String.join(",", hosts)));
        }
        environment.forEach((name, value) -> words.addAll(List.of("-genv", name, value)));
        words.addAll(List.of("-n", Integer.toString(ranks)));
    }

    private IllegalArgumentException cannotKeepGoing() {
        return new IllegalArgumentException(
                launcher + " ends the job when a rank dies; ranks survive that with Open MPI 5 or newer, and with other"
                        + " engines than mpi");
    }

    // ---- output: lines with the rank in front, as comm4j's launcher writes them

    private static Thread pump(InputStream in, OutputStream to) {
        return Thread.ofPlatform().daemon().name("comm4j-run-output").start(() -> {
            try (InputStream lines = new BufferedInputStream(in)) {
                ByteArrayOutputStream line = new ByteArrayOutputStream();
                for (int next; (next = lines.read()) >= 0; ) {
                    line.write(next);
                    if (next == '\n' || line.size() == LinePump.LONGEST) {
                        write(to, marked(line.toByteArray()));
                        line.reset();
                    }
                }
                if (line.size() > 0) {
                    line.write('\n');
                    write(to, marked(line.toByteArray()));
                }
            } catch (IOException e) {
                // The launcher is gone; what it wrote before was read.
                return;
            }
        });
    }

    private static void write(OutputStream to, byte[] line) {
        try {
            synchronized (to) {
                to.write(line);
                to.flush();
            }
        } catch (IOException e) {
            // Nobody reads it any more; the ranks go on.
            return;
        }
    }

    /** A line with comm4j's mark instead of Open MPI's. */
    static byte[] marked(byte[] line) {
        @Nullable Matcher matcher = null;
        if (line.length > 0 && line[0] == '[') {
            int length = Math.min(line.length, 200);
            // One character for each byte, so that lengths agree.
            matcher = MARK.matcher(new String(line, 0, length, StandardCharsets.ISO_8859_1));
        }
        if (matcher == null || !matcher.find()) {
            return line;
        }
        byte[] mark = ("[" + matcher.group(1) + "] ").getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = new byte[mark.length + line.length - matcher.end()];
        System.arraycopy(mark, 0, all, 0, mark.length);
        System.arraycopy(line, matcher.end(), all, mark.length, line.length - matcher.end());
        return all;
    }
}
