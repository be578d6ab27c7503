// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.Arrays;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.Exchange;
import org.comm4j.math.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * Messages from every rank to every rank, of the same sizes each time: by a kernel where GPUs reach each other's
 * memory, else by allToAllV. Which one is found out at the first exchange.
 */
final class Messages {
    private final Backend backend;
    private final DataType type;
    private final long most;
    private final long[] sent;
    private final long[] received;
    private @Nullable Exchange exchange;
    private boolean asked;

    /**
     * Plans messages; does not communicate.
     *
     * @param most elements at least that the rank that receives most receives; the same on all ranks
     * @param sent elements to each rank
     * @param received elements from each rank
     */
    Messages(Backend backend, DataType type, long most, long[] sent, long[] received) {
        this.backend = backend;
        this.type = type;
        this.most = most;
        this.sent = sent;
        this.received = received;
    }

    /** Collective: sends all of {@code out}, and receives all of {@code in}. */
    void run(Buffer out, Buffer in) {
        Exchange kernel = exchange();
        if (kernel != null) {
            kernel.run(out, in);
        } else {
            backend.operations().allToAllV(out, sent, in, received);
        }
    }

    /** Collective the first time: returns where messages arrive without a copy, if there is such a place. */
    @Nullable
    Buffer landing() {
        Exchange kernel = exchange();
        return kernel == null ? null : kernel.landing(type);
    }

    private @Nullable Exchange exchange() {
        if (!asked) {
            asked = true;
            exchange = isOfWords()
                    ? backend.compute()
                            .exchange(backend.communicator(), most * type.bytes(), bytes(sent), bytes(received))
                    : null;
        }
        return exchange;
    }

    /** Collective: returns these messages, of two buffers, as what travels while others are computed. */
    Transfer beside(Buffer out, Buffer in) {
        Transfer kernel = isOfWords()
                ? backend.compute()
                        .exchangeBeside(
                                backend.communicator(), most * type.bytes(), bytes(sent), bytes(received), out, in)
                : null;
        return kernel != null
                ? kernel
                : backend.compute()
                        .transfer(backend.communicator(), true, group -> group.allToAllV(out, sent, in, received));
    }

    private boolean isOfWords() {
        return type.bytes() % Integer.BYTES == 0;
    }

    private long[] bytes(long[] counts) {
        return Arrays.stream(counts).map(count -> count * type.bytes()).toArray();
    }
}
