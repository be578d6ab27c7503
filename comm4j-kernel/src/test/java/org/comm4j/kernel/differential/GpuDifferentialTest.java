// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same random kernels on a GPU. Where Java has no compiler, those that {@code dev/gpu-tests} has packed. */
@Tag("gpu")
class GpuDifferentialTest {
    @Test
    void onTheGpu() {
        Natives.use();
        assumeTrue(Cuda.problem() == null, Cuda::problem);
        try (Device device = Device.of(0)) {
            CompileOptions options = CompileOptions.DEFAULT.withoutCache();
            for (CompileOptions each : List.of(options, options.withChecks())) {
                try (var compiler = KernelCompiler.of(device, each)) {
                    DifferentialTest.compare(
                            DifferentialTest.cases(100),
                            executor(device, compiler, each.checked() ? "GPU checked" : "GPU"));
                }
            }
        }
    }

    static Executor executor(Device device, KernelCompiler<?> compiler, String name) {
        return Executor.each(name, one -> run(device, compiler, one));
    }

    private static Case.Results run(Device device, KernelCompiler<?> compiler, Case one) {
        List<DeviceArray> arrays = new ArrayList<>();
        try {
            List<HostArray> outputs = Executor.outputs();
            for (List<HostArray> from : List.of(Case.inputs(), outputs)) {
                for (HostArray array : from) {
                    DeviceArray copy = device.allocate(array.type(), array.count());
                    arrays.add(copy);
                    copy.copyFrom(array);
                }
            }
            Executor.launch(compiler, one, arrays);
            for (int i = 0; i < outputs.size(); i++) {
                arrays.get(Case.INPUTS + i).copyTo(outputs.get(i));
            }
            return Executor.results(outputs);
        } finally {
            arrays.forEach(DeviceArray::close);
        }
    }
}
