// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Java method. The first block is where it begins. */
public final class Function {
    /**
     * What makes it a kernel.
     *
     * @param maxThreads of a block; 0 for any number
     * @param minBlocks that are to fit onto a multiprocessor at the same time; 0 for any number
     * @param clusterX blocks of a cluster; 0, 0, 0 if the launch says it
     */
    public record Launch(int maxThreads, int minBlocks, int clusterX, int clusterY, int clusterZ) {}

    private final String name;
    private final Type result;
    private final List<Value.Parameter> parameters;
    private final Position at;
    private final @Nullable Launch launch;
    private final List<Block> blocks = new ArrayList<>();

    /**
     * @param name unique within the module; of letters, digits and underscores
     * @param launch null for a function that others call
     */
    public Function(String name, Type result, List<Value.Parameter> parameters, Position at, @Nullable Launch launch) {
        this.name = name;
        this.result = result;
        this.parameters = List.copyOf(parameters);
        this.at = at;
        this.launch = launch;
    }

    public String name() {
        return name;
    }

    public Type result() {
        return result;
    }

    public List<Value.Parameter> parameters() {
        return parameters;
    }

    /** Where it begins in Java. */
    public Position at() {
        return at;
    }

    public boolean isKernel() {
        return launch != null;
    }

    public @Nullable Launch launch() {
        return launch;
    }

    public List<Block> blocks() {
        return Collections.unmodifiableList(blocks);
    }

    public Block add(Block block) {
        blocks.add(block);
        return block;
    }

    @Override
    public String toString() {
        return name;
    }
}
