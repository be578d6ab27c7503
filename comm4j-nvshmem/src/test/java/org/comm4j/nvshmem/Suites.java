// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.stream.Stream;
import org.comm4j.test.Nightly;

/** What every NVSHMEM must do here: suites of tests that all PEs execute together. */
final class Suites {
    /** The library's life, its memory and teams. */
    static final Class<?>[] LIFE = {
        BindingContract.class,
        VersionContract.class,
        HeapContract.class,
        LifeContract.class,
        MisuseContract.class,
        TeamContract.class,
        ModuleContract.class
    };

    /** Puts, gets, atomics and signals. */
    static final Class<?>[] ONE_SIDED = {
        RmaContract.class, SignalContract.class, AtomicContract.class, EventSuite.class, EnduranceContract.class
    };

    /** Collectives, and what is ordered in streams and graphs. */
    static final Class<?>[] COLLECTIVE = {CollectiveContract.class, GraphContract.class, StreamOrderedContract.class};

    static final Class<?>[] ALL =
            Stream.of(LIFE, ONE_SIDED, COLLECTIVE).flatMap(Stream::of).toArray(Class<?>[]::new);

    private Suites() {}

    /** Those for a job of one PE: with null arguments, and with the stress of closes by night. */
    static Class<?>[] ofOne() {
        Stream<Class<?>> suites = Stream.concat(Stream.of(ALL), Stream.of(NullArgumentsContract.class));
        return (Nightly.isOn() ? Stream.concat(suites, Stream.of(CloseStressContract.class)) : suites)
                .toArray(Class<?>[]::new);
    }
}
