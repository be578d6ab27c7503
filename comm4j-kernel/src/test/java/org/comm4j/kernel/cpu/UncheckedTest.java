// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BulkCopy;
import org.comm4j.kernel.lang.BulkReduce;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.api.Test;

/** Warnings about kernels in which checked launches do not find races. */
class UncheckedTest {
    private static final int THREADS = 8;

    static void addsByTheCopyEngine(F32Ptr to) {
        F32Ptr tile = Shared.dynamicF32();
        tile.set(ThreadIdx.x(), 1 + ThreadIdx.x());
        Fence.async();
        Block.sync();
        if (ThreadIdx.x() == 0) {
            BulkReduce.addToGlobal(to, tile, 4 * THREADS);
            BulkCopy.commit();
            BulkCopy.waitFor(0);
        }
    }

    static void adds(F32Ptr to) {
        to.set(ThreadIdx.x(), to.get(ThreadIdx.x()) + 1 + ThreadIdx.x());
    }

    /** Launches a kernel twice, and returns what was logged; the results have to be right. */
    private static List<String> told(CpuOptions options, String name) throws NoSuchMethodException {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                if (logged.getMessage().contains("UncheckedTest." + name)) {
                    told.add(logged.getLevel() + ": " + logged.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("org.comm4j.kernel");
        logger.addHandler(handler);
        try {
            Method method = UncheckedTest.class.getDeclaredMethod(name, F32Ptr.class);
            CpuKernel kernel = new CpuKernel(method, options);
            HostArray to = HostArray.of(new float[THREADS]);
            LaunchConfig config = LaunchConfig.grid(1).block(THREADS).shared(4 * THREADS);
            kernel.launch(config, to);
            kernel.launch(config, to);
            for (int i = 0; i < THREADS; i++) {
                assertThat(to.toFloatArray()[i]).isEqualTo(2f * (1 + i));
            }
        } finally {
            logger.removeHandler(handler);
        }
        return told;
    }

    @Test
    void isToldOnce() throws NoSuchMethodException {
        assertThat(told(CpuOptions.checked(3), "addsByTheCopyEngine"))
                .singleElement()
                .asString()
                .startsWith("WARNING: kernel UncheckedTest.addsByTheCopyEngine(F32Ptr) is not checked for races")
                .endsWith("the check does not know BulkReduce.addToGlobal");
    }

    @Test
    void whatNobodyAskedToCheckIsNotTold() throws NoSuchMethodException {
        assertThat(told(CpuOptions.fast(), "addsByTheCopyEngine")).isEmpty();
        assertThat(told(CpuOptions.debug(), "addsByTheCopyEngine")).isEmpty();
    }

    @Test
    void whatIsCheckedIsNotTold() throws NoSuchMethodException {
        assertThat(told(CpuOptions.checked(3), "adds")).isEmpty();
    }
}
