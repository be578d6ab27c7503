// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code comm4j invert lsm}: reflectors from shots. */
@Command(name = "lsm", description = "Least-squares migration.", mixinStandardHelpOptions = true)
final class InvertLsmCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new IllegalStateException("not there yet");
    }
}
