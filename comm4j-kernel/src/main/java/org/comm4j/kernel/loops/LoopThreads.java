// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Tells the Java methods that a kernel calls which thread calls them, and lets them wait for other threads. */
public interface LoopThreads {
    /** What a thread waits for in a method. */
    enum Wait {
        /** Others go first. */
        PAUSE,
        BLOCK,
        /** The block; the argument is 1 if the thread is counted. */
        COUNT,
        /** The lanes of its warp that the argument is a mask of. */
        WARP,
        GRID,
        CLUSTER,
        /** The first thread of the warp or block, whose call is this one's, too. */
        FIRST
    }

    /** The threads of a block that are in methods. */
    interface Calls {
        /** Returns what a thread is about to call; null if it has begun that. */
        @Nullable
        Callable<@Nullable Object> begins(int thread);

        /** A thread's method has returned. */
        void ended(int thread, @Nullable Object result);

        /** A thread's method has thrown something. */
        void failed(int thread, Throwable thrown);

        /** A thread waits, and gets no turn until it need not any more. */
        void waits(int thread, Wait what, int argument);

        /**
         * Makes a thread's call that of some others, too, which have their results from it. They have to be at the same
         * place of the kernel, where none of them has begun its call.
         *
         * @param first the thread
         * @param behind the thread behind the last of the others, which follow the first
         * @return whether it is now
         */
        boolean leads(int first, int behind);

        /** Returns the count of a barrier that a thread has waited at. */
        int count(int thread);
    }

    /** A thread of the block that runs is about to call a method that does not wait. */
    void enter(int thread);

    /**
     * Lets threads begin methods that may wait, or go on in them, until they return or wait.
     *
     * @return the thread behind the last that had a turn
     */
    int call(int from, int to, Calls calls);
}
