// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/**
 * Native libraries and operating-system calls. The only module that calls restricted {@code java.lang.foreign} methods, so
 * that one {@code --enable-native-access=org.comm4j.ffi} is enough for everything.
 */
@NullMarked
module org.comm4j.ffi {
    requires static org.jspecify;
}
