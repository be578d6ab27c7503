// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.array.Vector;

/** A proximal map with the update around it, described once and run often, and the vectors that it needs for that. */
public final class Step implements Runnable, AutoCloseable {
    private final Runnable body;
    private final List<Runnable> closing = new ArrayList<>();
    private final List<Vector> kept = new ArrayList<>();

    /**
     * Makes a step.
     *
     * @param scratch vectors that are closed with it
     */
    Step(Runnable body, Vector... scratch) {
        this.body = body;
        for (Vector each : scratch) {
            closing.add(each::close);
        }
    }

    /** Closes another step with this one, which runs it. */
    Step with(Step inner) {
        kept.addAll(inner.kept);
        return closing(inner::close);
    }

    /** Does more when it is closed. */
    Step closing(Runnable close) {
        closing.add(close);
        return this;
    }

    /** Says that a run begins with a vector as the last one has left it. */
    Step keeping(Vector vector) {
        kept.add(vector);
        return this;
    }

    /** Returns the vectors that a run begins with as the last one has left them, which a checkpoint has to keep. */
    public List<Vector> vectors() {
        return List.copyOf(kept);
    }

    @Override
    public void run() {
        body.run();
    }

    /** Frees the vectors of the step, not those of the update. */
    @Override
    public void close() {
        closing.forEach(Runnable::run);
    }
}
