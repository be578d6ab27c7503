// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code comm4j completion}: the script that completes commands and options in a shell. */
@Command(
        name = "completion",
        description = {
            "Print a script for completion in Bash and Zsh.",
            "source <(comm4j completion), for example in ~/.bashrc, makes the shell complete commands and options."
        },
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        CommandSpec command = Objects.requireNonNull(spec);
        command.commandLine()
                .getOut()
                .print(AutoComplete.bash(command.root().name(), command.root().commandLine()));
        command.commandLine().getOut().flush();
    }
}
