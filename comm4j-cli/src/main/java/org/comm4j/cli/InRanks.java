// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Runs a command in several ranks: here, if somebody started this process as one of them, else in processes of its own. */
final class InRanks {
    /** What a rank does; returns the exit code. */
    @FunctionalInterface
    interface Body {
        int run(World world) throws Exception;
    }

    private InRanks() {}

    /**
     * Runs {@code body} in a world of {@code ranks}.
     *
     * @param spec of the command under way, whose command line the other processes get, too
     * @param ranks 0 for as many as there are, or, if nobody started any, as there are processors, at least 2
     * @param settings of the launcher, if it is needed
     * @return the exit code
     */
    static int run(CommandSpec spec, int ranks, UnaryOperator<Launcher> settings, Body body) throws Exception {
        try (World world = World.join()) {
            int wanted = ranks > 0
                    ? ranks
                    : isAlone(world) ? Math.max(Runtime.getRuntime().availableProcessors(), 2) : world.size();
            if (wanted == world.size()) {
                return body.run(world);
            }
            if (!isAlone(world)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--ranks " + ranks + ", but this is rank " + world.rank() + " of a world of " + world.size()
                                + " that " + world.origin() + " started; leave the option out");
            }
            ranks = wanted;
        }
        List<String> command = new ArrayList<>();
        Module module = Main.class.getModule();
        if (module.isNamed()) {
            command.add("--module");
            command.add(module.getName() + "/" + Main.class.getName());
        } else {
            command.add(Main.class.getName());
        }
        command.addAll(spec.root().commandLine().getParseResult().originalArgs());
        return settings.apply(Launcher.ranks(ranks).java(command.toArray(String[]::new)))
                .prefix(rank -> "")
                .run();
    }

    private static boolean isAlone(World world) {
        return world.origin().equals("alone");
    }
}
