// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** The {@code comm4j} command: one class per subcommand. */
package org.comm4j.cli;
