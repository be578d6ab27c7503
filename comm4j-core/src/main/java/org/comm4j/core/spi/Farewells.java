// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.comm4j.core.World;

/**
 * Actions of engines before a world is closed on this rank, such as to end a library that all ranks end together.
 * All methods of the world are still in use then.
 */
public final class Farewells {
    private static final Map<World, List<Runnable>> BY_WORLD = new WeakHashMap<>();

    private Farewells() {}

    /** Notes an action for {@link World#close()}; it is run once. */
    public static void add(World world, Runnable action) {
        synchronized (BY_WORLD) {
            BY_WORLD.computeIfAbsent(world, _ -> new ArrayList<>()).add(action);
        }
    }

    /** Runs the actions of a world that is about to be closed, the last one first. */
    public static void run(World world) {
        List<Runnable> actions;
        synchronized (BY_WORLD) {
            actions = BY_WORLD.remove(world);
        }
        if (actions != null) {
            actions.reversed().forEach(Runnable::run);
        }
    }
}
