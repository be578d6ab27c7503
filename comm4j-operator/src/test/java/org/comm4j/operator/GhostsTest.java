// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.array.Backend;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ghost rows on processors: as messages, and written into the memory of neighbours. */
class GhostsTest extends GhostsContract {
    @Test
    void rowsAreWrittenToNeighbours() {
        written(4);
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void rowsAreWrittenToNeighboursOf(int ranks) {
        written(ranks);
    }

    /** Only rows of ranks behind the neighbours are sent. */
    private static void written(int ranks) {
        PeerJob job = new PeerJob(ranks);
        Ranks.run(ranks, backend -> {
            try (Backend own = Backend.of(job.peers(backend.communicator()))) {
                all(own);
            }
        });
        assertThat(job.calls("persistent")).isZero();
        Ranks.run(ranks, backend -> {
            try (Backend own = Backend.of(job.peers(backend.communicator()))) {
                wide(own);
            }
        });
        assertThat(job.calls("persistent") > 0).isEqualTo(ranks > 2);
    }
}
