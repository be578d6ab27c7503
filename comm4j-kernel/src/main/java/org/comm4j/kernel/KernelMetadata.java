// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.util.List;
import java.util.Set;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.SharedArrays;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.launch.Parameter;
import org.comm4j.kernel.link.Toolchain;

/**
 * What is needed of a kernel to find its machine code, to load and to launch it.
 *
 * @param symbol its name in its code
 * @param math as of the program
 * @param cooperative whether all blocks have to run at the same time
 * @param awaitsPrevious whether it waits for the kernel before it, or calls units that may
 * @param maxThreads of a block; 0 if it does not say
 * @param sharedArrays bytes at the beginning of dynamic shared memory that are its arrays, as of {@link SharedArrays}
 * @param units names of the device units that it calls functions of
 * @param functions outside of Java that it calls
 * @param hash of its NVVM IR
 * @param parameters what a launch passes
 * @param memory what the GPU reads: of each parameter, or of each component of one that is a restricted record
 */
record KernelMetadata(
        String symbol,
        Kernel.Math math,
        boolean cooperative,
        boolean awaitsPrevious,
        int maxThreads,
        int sharedArrays,
        List<String> units,
        Set<String> functions,
        String hash,
        List<Parameter> parameters,
        List<Type> memory) {
    KernelMetadata {
        units = List.copyOf(units);
        parameters = List.copyOf(parameters);
        memory = List.copyOf(memory);
    }

    static KernelMetadata of(Program program, String nvvm, List<Parameter> parameters, boolean cooperative) {
        Function.Launch launch = program.kernel().launch();
        return new KernelMetadata(
                program.kernel().name(),
                program.math(),
                cooperative,
                nvvm.contains("griddepcontrol.wait") || !program.units().isEmpty(),
                launch == null ? 0 : launch.maxThreads(),
                SharedArrays.of(program).dynamicBytes(),
                program.units(),
                Toolchain.functions(nvvm),
                Toolchain.hash(nvvm),
                parameters,
                program.kernel().parameters().stream()
                        .map(Value.Parameter::type)
                        .toList());
    }
}
