// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.comm4j.core.RendezvousException;
import org.comm4j.core.World;
import org.comm4j.core.spi.Bootstrap;
import org.jspecify.annotations.Nullable;

/** The use of the {@link Bootstrap} that is at hand, if this process needs one: loaded and met once, when asked. */
public final class Introduction {
    private final Map<String, String> environment;
    private final Duration patience;
    private final Supplier<List<Bootstrap>> services;
    private Bootstrap.@Nullable Group group;
    private String problems = "";

    /** The services among the modules at hand. */
    public Introduction(Map<String, String> environment, Duration patience) {
        this(environment, patience, Bootstrap::all);
    }

    Introduction(Map<String, String> environment, Duration patience, Supplier<List<Bootstrap>> services) {
        this.environment = environment;
        this.patience = patience;
        this.services = services;
    }

    /** The processes of the job, which meet now at the latest; null if no service can bring them together. */
    public Bootstrap.@Nullable Group meet() {
        if (group == null) {
            for (Bootstrap service : services.get()) {
                String problem = service.problem(environment);
                if (problem == null) {
                    group = service.meet(environment, patience);
                    return group;
                }
                problems += (problems.isEmpty() ? "" : "; ") + service.name() + ": " + problem;
            }
        }
        return group;
    }

    /** The processes of the job if they have met, or null. */
    Bootstrap.@Nullable Group met() {
        return group;
    }

    /** Returns why {@link #meet} gave null, for messages; empty if there is no service. */
    String problems() {
        return problems;
    }

    /**
     * Throws unless the processes that have met are those of the job.
     *
     * @throws RendezvousException if rank or size differ; it names both sources
     */
    static void check(Job job, Bootstrap.Group group) {
        if (group.size() != job.size() || group.rank() != job.rank()) {
            throw new RendezvousException("rank " + job.rank() + " of " + job.size() + " by the environment ("
                    + job.origin() + ") is rank " + group.rank() + " of " + group.size() + " by " + group.description()
                    + ": the launcher and the library do not belong together; start the job with the launcher of this"
                    + " library, or choose the library of the launcher");
        }
    }

    /** The world is about to be closed on this rank. */
    public void leaving(World world) {
        if (group != null) {
            group.leaving(world);
        }
    }
}
