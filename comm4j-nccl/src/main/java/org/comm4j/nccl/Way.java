// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.comm4j.core.spi.Call;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.handle.CUevent;
import org.comm4j.ffi.handle.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * Another way to submit collectives of a communicator than {@link Submission}: with a configuration, with a sum of
 * one's own.
 *
 * @param checker throws if a call, whose own arguments are checked, cannot go this way
 * @param user is told the stream of each call
 * @param submitter has NCCL enqueue a call that was checked
 * @param config with which calls go, if there is one
 * @param launch the event that calls record, if there is one
 */
record Way(
        Consumer<Call> checker,
        Consumer<Stream> user,
        BiConsumer<Call, CUstream> submitter,
        @Nullable CollConfig config,
        @Nullable Event launch) {
    /** Begins a call: what it uses besides stream and memory is there until {@link #release}. */
    void acquire() {
        if (launch != null) {
            CUevent ignored = launch.acquire();
        }
    }

    void release() {
        if (launch != null) {
            launch.release();
        }
    }

    void check(Call call) {
        checker.accept(call);
    }

    /** What it needs besides the call is still there, and will be used in {@code stream}. */
    void use(Call call, Stream stream) {
        checker.accept(call);
        user.accept(stream);
    }

    /** That NCCL takes calls of both ways in one group, of one communicator or of two. */
    static void checkTogether(@Nullable Way a, @Nullable Way b, boolean sameCommunicator) {
        if (a != null && a.config != null && b != null && b.config != null) {
            a.config.checkTogether(b.config, sameCommunicator);
        }
    }

    void enqueue(Call call, CUstream stream) {
        submitter.accept(call, stream);
    }
}
