// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/**
 * Stores to the shared memory of a block of the cluster that a barrier there counts, so that nobody waits for them but
 * who reads ({@code st.async}). Pointers are of {@link Cluster#map}, barriers of {@link Mbarrier#map} of the same
 * block, which expects the bytes. sm_90 and later.
 */
public final class AsyncStore {
    private AsyncStore() {}

    /**
     * Stores a number of 32 bits at {@code remote}; {@code barrier} gets 4 bytes ({@code
     * st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32}).
     */
    @InlinePtx(
            value = "{ .reg .b64 d, m; cvta.to.shared::cluster.u64 d, $1; cvta.to.shared::cluster.u64 m, $3; "
                    + "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [d], $2, [m]; }",
            since = 90)
    public static void store(I32Ptr remote, int value, Mbarrier barrier) {
        start(remote, 4, barrier, () -> remote.set(0, value));
    }

    /**
     * Stores a number of 64 bits at {@code remote}; {@code barrier} gets 8 bytes ({@code
     * st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64}).
     */
    @InlinePtx(
            value = "{ .reg .b64 d, m; cvta.to.shared::cluster.u64 d, $1; cvta.to.shared::cluster.u64 m, $3; "
                    + "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [d], $2, [m]; }",
            since = 90)
    public static void store(I64Ptr remote, long value, Mbarrier barrier) {
        start(remote, 8, barrier, () -> remote.set(0, value));
    }

    /**
     * Stores a {@code float} at {@code remote}; {@code barrier} gets 4 bytes ({@code
     * st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f32}).
     */
    @InlinePtx(
            value = "{ .reg .b64 d, m; cvta.to.shared::cluster.u64 d, $1; cvta.to.shared::cluster.u64 m, $3; "
                    + "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f32 [d], $2, [m]; }",
            since = 90)
    public static void store(F32Ptr remote, float value, Mbarrier barrier) {
        start(remote, 4, barrier, () -> remote.set(0, value));
    }

    /**
     * Stores a {@code double} at {@code remote}; {@code barrier} gets 8 bytes ({@code
     * st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f64}).
     */
    @InlinePtx(
            value = "{ .reg .b64 d, m; cvta.to.shared::cluster.u64 d, $1; cvta.to.shared::cluster.u64 m, $3; "
                    + "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f64 [d], $2, [m]; }",
            since = 90)
    public static void store(F64Ptr remote, double value, Mbarrier barrier) {
        start(remote, 8, barrier, () -> remote.set(0, value));
    }

    /**
     * Adds to the number at {@code remote}, atomically; {@code barrier} gets 4 bytes ({@code
     * red.async.relaxed.cluster.mbarrier::complete_tx::bytes.add.s32}).
     */
    @InlinePtx(
            value = "{ .reg .b64 d, m; cvta.to.shared::cluster.u64 d, $1; cvta.to.shared::cluster.u64 m, $3; "
                    + "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.s32 [d], $2, [m]; }",
            since = 90)
    public static void add(I32Ptr remote, int value, Mbarrier barrier) {
        start(remote, 4, barrier, () -> remote.atomicAdd(0, value));
    }

    private static void start(Ptr remote, int bytes, Mbarrier barrier, Runnable store) {
        barrier.copy(remote.segment, remote.offset, bytes, store);
    }
}
