// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.lang.System.Logger.Level;
import java.util.List;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommException;
import org.comm4j.ffi.nvshmem.LibNvshmem;

/**
 * How a PE ends. The library's own end is collective: where the PEs are out of step it would never come, and is left
 * out. Then, and when the process just ends, the operating system and the driver give everything back.
 */
final class Shutdown {
    private Shutdown() {}

    static void run(Session session) {
        session.settle();
        if (!session.close()) {
            return;
        }
        CommException failure = session.failure();
        if (failure != null) {
            abandon(session, failure);
            return;
        }
        List<String[]> answers;
        try {
            answers = meet(session);
        } catch (CollectiveMismatchException e) {
            stayOpen(session);
            throw e;
        } catch (RuntimeException e) {
            abandon(session, e);
            throw e;
        }
        try {
            session.heap.checkReclaimed(
                    "close", answers.stream().map(each -> each[0]).toList());
        } catch (IllegalStateException e) {
            stayOpen(session);
            throw e;
        }
        try {
            finish(session, answers.stream().map(each -> each[1]).toList());
        } catch (RuntimeException e) {
            abandon(session, e);
            throw e;
        }
        // No PE waits for this one any more, whatever becomes of the rest.
        session.exit.cancel();
        session.heap.abandon();
        session.environment.leave();
        Lifecycle.ended();
        session.own.close();
        session.device.close();
    }

    /**
     * Returns when all PEs have come to close: the library would not be left again without one of them.
     *
     * @return of each PE, whether it has lent memory, and what it has never freed
     * @throws CollectiveMismatchException on all PEs if one of them calls something else
     */
    private static List<String[]> meet(Session session) {
        return session.agree("close", session.heap.reclaimAll() + "\n" + session.heap.leaks()).stream()
                .map(text -> text.split("\n", 2))
                .toList();
    }

    /** All PEs throw alike, and nothing has happened. */
    private static void stayOpen(Session session) {
        session.heap.unreclaimAll();
        session.reopen();
    }

    private static void finish(Session session, List<String> leaks) {
        session.heap.reportLeaks();
        session.teams.reportLeaks();
        boolean alike = leaks.stream().distinct().count() == 1;
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
