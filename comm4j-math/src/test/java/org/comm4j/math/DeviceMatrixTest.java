// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceMatrixTest {
    private int made;
    private int freed;

    /** Has room for so many arrays. */
    private KernelQueue queue(int most) {
        return (KernelQueue) Proxy.newProxyInstance(
                KernelQueue.class.getClassLoader(), new Class<?>[] {KernelQueue.class}, (_, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("allocate");
                    if (made == most) {
                        throw new IllegalStateException("no memory");
                    }
                    made++;
                    HostArray array = HostArray.allocate((DataType) arguments[0], (long) arguments[1]);
                    return new Memory(array, () -> freed++);
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void copiesBeforeAFailureAreFreed(int most) {
        AxisMatrix matrix = AxisMatrix.of(5).element(3, 0.5).endRow().endRow().build();
        assertThatThrownBy(() -> DeviceMatrix.of(queue(most), matrix)).hasMessage("no memory");
        assertThat(made).isEqualTo(most);
        assertThat(freed).isEqualTo(most);
    }
}
