// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.List;
import java.util.stream.Stream;
import org.comm4j.core.contract.pgas.CommonCase;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@link OpenShmem} promises: {@link CommonCase}s, then its own {@link ShmemCase}s; subclasses say which engine,
 * and how PEs are started.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ShmemContract {
    /** What one PE does. */
    record Each(String name, Body body) {
        @Override
        public String toString() {
            return name;
        }
    }

    interface Body {
        void run(OpenShmem shmem) throws Exception;
    }

    static final List<Each> ALL = Stream.concat(
                    Stream.of(CommonCase.values()).map(each -> new Each(each.name(), each::run)),
                    Stream.of(ShmemCase.values()).map(each -> new Each("OpenSHMEM " + each.name(), each::run)))
            .toList();

    /** The numbers of PEs to run with. */
    abstract List<Integer> sizes();

    /** Runs a case on so many PEs; throws what a PE threw. */
    abstract void run(int pes, Each each);

    Stream<Arguments> cases() {
        return sizes().stream().flatMap(pes -> ALL.stream().map(each -> Arguments.of(pes, each)));
    }

    @ParameterizedTest(name = "{0} PEs: {1}")
    @MethodSource("cases")
    void holds(int pes, Each each) {
        run(pes, each);
    }
}
