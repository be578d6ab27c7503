// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Subcommands of a command. Picocli takes 0.4 s to read the options of all, which is most of the time of a short
 * command. So those that a command line does not name are without: they have the name and the description that help
 * lists.
 */
final class Subcommands {
    private Subcommands() {}

    /** @param read whether a command of this name is read */
    static void add(CommandLine to, List<Class<?>> commands, Predicate<String> read) {
        for (Class<?> each : commands) {
            Command annotation = Objects.requireNonNull(each.getAnnotation(Command.class));
            if (read.test(annotation.name())) {
                CommandLine command = new CommandLine(each);
                if (each == BenchCommand.class) {
                    add(command, BenchCommand.COMMANDS, read);
                }
                to.addSubcommand(command);
            } else {
                CommandSpec unread = CommandSpec.create().name(annotation.name());
                unread.usageMessage().header(annotation.header()).description(annotation.description());
                to.addSubcommand(annotation.name(), unread);
            }
        }
    }
}
