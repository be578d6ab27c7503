// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.lang.System.Logger.Level;
import java.util.List;
import org.comm4j.core.CommException;
import org.comm4j.ffi.nvshmem.LibNvshmem;

/**
 * How a PE ends. The library's own end is collective: where the PEs are out of step it would never come, and is left out. Then, and when the
 * process just ends, the operating system and the driver give everything back.
 */
final class Shutdown {
    private Shutdown() {}

    static void run(Session session) {
        if (!session.close()) {
            return;
        }
        CommException failure = session.failure();
        if (failure != null) {
            abandon(session, failure);
            return;
        }
        try {
            finish(session);
        } catch (RuntimeException e) {
            abandon(session, e);
            throw e;
        }
        session.heap.abandon();
        session.environment.leave();
        session.own.close();
        session.device.close();
        session.exit.cancel();
        Lifecycle.ended();
    }

    private static void finish(Session session) {
        String mine = session.heap.leaks();
        session.heap.reportLeaks();
        session.teams.reportLeaks();
        // All PEs have come, or the library would not be left again.
        List<String> all = session.exchange("close", mine);
        boolean alike = all.stream().allMatch(mine::equals);
        session.blockLast("close", () -> {
            // The library does so as well, but only after the memory is gone.
            session.device.synchronize();
            session.modules.endAll();
            // Collectives go through NCCL where that is there, whose end waits for graphs that have work of it.
            session.recorded.closeGraphs();
            if (alike) {
                session.heap.freeLeaks();
            }
            LibNvshmem.nvshmemx_hostlib_finalize();
        });
    }

    private static void abandon(Session session, RuntimeException why) {
        Session.log().log(
                Level.WARNING,
                "close of the Nvshmem on " + session.where()
                        + " without the other PEs: NVSHMEM is not finalised, and its"
                        + " memory stays until this process ends (" + why.getMessage() + ")");
        session.heap.abandon();
        session.environment.leave();
        session.exit.silence();
        Lifecycle.abandoned(String.valueOf(why.getMessage()));
    }
}
