// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;

/** Runs cases. */
interface Executor {
    String name();

    /** Of each case its {@link Case.Results}, or what went wrong. */
    List<Object> run(List<Case> cases);

    /** Runs one. */
    interface Single {
        Case.Results run(Case one) throws Exception;
    }

    static Executor each(String name, Single single) {
        return new Executor() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public List<Object> run(List<Case> cases) {
                List<Object> all = new ArrayList<>();
                for (Case one : cases) {
                    try {
                        all.add(single.run(one));
                    } catch (Exception | StackOverflowError | AssertionError | NoClassDefFoundError e) {
                        all.add(e);
                    }
                }
                return all;
            }
        };
    }

    /** The methods themselves, one element after the other. */
    static Executor java() {
        return each("Java", one -> {
            List<HostArray> inputs = Case.inputs();
            List<HostArray> outputs = outputs();
            List<Object> arguments = new ArrayList<>();
            arguments.add(0);
            arguments.add(I8Ptr.of(inputs.get(0)));
            arguments.add(I16Ptr.of(inputs.get(1)));
            arguments.add(I32Ptr.of(inputs.get(2)));
            arguments.add(I64Ptr.of(inputs.get(3)));
            arguments.add(F32Ptr.of(inputs.get(4)));
            arguments.add(F64Ptr.of(inputs.get(5)));
            arguments.add(I32Ptr.of(outputs.get(0)));
            arguments.add(I64Ptr.of(outputs.get(1)));
            arguments.add(F32Ptr.of(outputs.get(2)));
            arguments.add(F64Ptr.of(outputs.get(3)));
            arguments.addAll(Case.SCALARS);
            for (int i = 0; i < Case.ELEMENTS; i++) {
                arguments.set(0, i);
                one.body().invoke(null, arguments.toArray());
            }
            return results(outputs);
        });
    }

    static Executor cpu(KernelCompiler<?> compiler, String name) {
        return each(name, one -> {
            List<HostArray> outputs = outputs();
            List<Buffer> buffers = new ArrayList<>(Case.inputs());
            buffers.addAll(outputs);
            launch(compiler, one, buffers);
            return results(outputs);
        });
    }

    static void launch(KernelCompiler<?> compiler, Case one, List<? extends Buffer> buffers) {
        List<Object> arguments = new ArrayList<>(buffers);
        arguments.addAll(Case.SCALARS);
        arguments.add(Case.ELEMENTS);
        try (CompiledKernel kernel = compiler.compile(one.kernel())) {
            kernel.launch(LaunchConfig.grid(Case.GRID).block(Case.BLOCK), arguments.toArray());
        }
    }

    static List<HostArray> outputs() {
        return List.of(
                HostArray.of(new int[Case.RESULTS]),
                HostArray.of(new long[Case.RESULTS]),
                HostArray.of(new float[Case.RESULTS]),
                HostArray.of(new double[Case.RESULTS]));
    }

    static Case.Results results(List<HostArray> outputs) {
        return new Case.Results(
                outputs.get(0).toIntArray(),
                outputs.get(1).toLongArray(),
                outputs.get(2).toFloatArray(),
                outputs.get(3).toDoubleArray());
    }
}
