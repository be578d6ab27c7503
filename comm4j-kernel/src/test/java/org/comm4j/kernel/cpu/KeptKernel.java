// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.capture.ParameterNames;
import org.comm4j.kernel.loops.LoopKernel;
import org.comm4j.kernel.loops.LoopStore;
import org.jspecify.annotations.Nullable;

/**
 * A kernel twice: as it is made, and as another process gets it of what the first one kept.
 *
 * @param again has loops for the shapes that the first one was launched in, and cannot make others
 */
public record KeptKernel(CompiledKernel first, CompiledKernel again) {
    private static final class MemoryStore implements LoopStore {
        private final Map<String, byte[]> kept = new HashMap<>();

        @Override
        public byte @Nullable [] get(String name) {
            return kept.get(name);
        }

        @Override
        public void put(String name, byte[] content) {
            kept.put(name, content);
        }

        @Override
        public Turn turn(String name) {
            return LoopStore.NONE.turn(name);
        }
    }

    /** Makes both. */
    public static KeptKernel of(Method kernel, CpuOptions options, Object... constants) {
        KernelSource source = KernelSource.of(kernel, constants);
        CalledMethods java = new CalledMethods(kernel.getDeclaringClass());
        CallGraph closure = new CallGraph(kernel);
        LoopStore store = new MemoryStore();
        LoopKernel.Manner manner = LoopRunner.manner(options);
        LoopKernel first = LoopKernel.of(LoopRunner.read(source, options), java, store, manner);
        LoopKernel again = Objects.requireNonNull(LoopKernel.again(
                first.outline(),
                java,
                () -> {
                    throw new AssertionError(kernel + " is read again");
                },
                store,
                manner));
        CodeCache.Facts facts = new CodeCache.Facts(
                closure.waits(),
                closure.ends(),
                closure.cooperative(),
                0,
                List.copyOf(ParameterNames.of(kernel)),
                first.outline(),
                null);
        return new KeptKernel(
                new CpuKernel(source, options, new CpuCode(source, options, facts, first, false)),
                new CpuKernel(source, options, new CpuCode(source, options, facts, again, false)));
    }
}
