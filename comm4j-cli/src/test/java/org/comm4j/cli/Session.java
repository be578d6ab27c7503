// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.comm4j.cli.Running.Outcome;

/**
 * A process that runs {@code comm4j} commands one after the other, as {@link Running#here} does: with options of its
 * own, such as libraries that are simulated, and for all of a test class, as the start of a virtual machine costs more
 * than most commands.
 */
final class Session implements AutoCloseable {
    private final Process process;
    private final DataOutputStream commands;
    private final DataInputStream outcomes;

    /** @param options of its virtual machine */
    Session(List<String> options) throws IOException {
        List<String> words = new ArrayList<>(Running.comm4j(options, List.of()).command());
        words.set(words.indexOf(Main.class.getName()), Session.class.getName());
        process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        commands = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
        outcomes = new DataInputStream(process.getInputStream());
    }

    /** Runs a command. */
    synchronized Outcome run(List<String> words) throws IOException {
        commands.writeInt(words.size());
        for (String word : words) {
            commands.writeUTF(word);
        }
        commands.flush();
        try {
            return new Outcome(outcomes.readInt(), read(outcomes), read(outcomes));
        } catch (EOFException e) {
            throw new AssertionError("the process of comm4j " + String.join(" ", words) + " has ended", e);
        }
    }

    /** Ends the process, and has waited for it: its time counts as that of the tests. */
    @Override
    public void close() throws IOException {
        commands.close();
        try {
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new AssertionError("a process without more commands does not end");
            }
        } catch (InterruptedException e) {
            throw new AssertionError("nobody knows this thread", e);
        }
    }

    public static void main(String[] args) throws IOException {
        System.setProperty("java.awt.headless", "true");
        DataInputStream in = new DataInputStream(System.in);
        // Not System.out, which others may use as well.
        try (DataOutputStream to =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)))) {
            System.setOut(System.err);
            while (true) {
                List<String> words = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    words.add(in.readUTF());
                }
                Outcome outcome = Running.here(words);
                to.writeInt(outcome.code());
                write(to, outcome.out());
                write(to, outcome.err());
                to.flush();
            }
        } catch (EOFException e) {
            // There are no more commands.
            System.exit(0);
        }
    }

    private static void write(DataOutputStream to, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        to.writeInt(bytes.length);
        to.write(bytes);
    }

    private static String read(DataInputStream from) throws IOException {
        return new String(from.readNBytes(from.readInt()), UTF_8);
    }
}
