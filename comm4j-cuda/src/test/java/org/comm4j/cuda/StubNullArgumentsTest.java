// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.core.DataType;
import org.comm4j.core.contract.NullArguments;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
@Tag("stub")
class StubNullArgumentsTest extends CudaContract {
    @BeforeAll
    static void loadDriver() {
        StubDriver.load();
    }

    private final List<String> wrong = new ArrayList<>();

    @Test
    void ofAllTypes() {
        byte[] image = ".version 8.0\n.target sm_90\n".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        CudaModule module = CudaModule.load(device, image);
        CudaLibrary library = CudaLibrary.load(image);
        CudaFunction function = module.function("scale");
        LaunchConfig config = LaunchConfig.grid(1);
        DeviceArray array = device.allocate(DataType.FLOAT32, 10);
        PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 10);
        Event event = device.newTimingEvent();
        MemoryPool pool = device.newPool();
        PreparedLaunch launch = function.prepare(config, array, 10, 2f);
        Object[] arguments = {array, 10, 2f};
        Graph graph = Graph.capture(stream, () -> array.fill(1f, stream));
        GraphExec exec = graph.instantiate();
        Object[] samples = {
            device,
            stream,
            array,
            pinned,
            event,
            pool,
            module,
            library,
            config,
            image,
            arguments,
            "sm_90",
            graph,
            Path.of("graph.dot")
        };
        for (Class<?> type : List.of(
                Device.class,
                Stream.class,
                Event.class,
                DeviceArray.class,
                PinnedArray.class,
                MemoryPool.class,
                CudaModule.class,
                CudaLibrary.class,
                CudaFunction.class,
                Graph.class,
                LaunchConfig.class,
                PreparedLaunch.class,
                Nvrtc.class,
                DlPack.class,
                Cuda.class)) {
            wrong.addAll(NullArguments.ofType(type, Set.of(), samples));
        }
        Map.of(
                        device, Device.class,
                        stream, Stream.class,
                        event, Event.class,
                        array, DeviceArray.class,
                        pinned, PinnedArray.class,
                        pool, MemoryPool.class,
                        module, CudaModule.class,
                        library, CudaLibrary.class,
                        launch, PreparedLaunch.class,
                        config, LaunchConfig.class)
                .forEach((object, type) ->
                        wrong.addAll(NullArguments.ofObject(type, object, Set.of("compareTo"), samples)));
        wrong.addAll(NullArguments.ofObject(CudaFunction.class, function, Set.of(), samples));
        wrong.addAll(NullArguments.ofObject(GraphExec.class, exec, Set.of(), samples));
        wrong.addAll(NullArguments.ofObject(Graph.class, graph, Set.of(), samples));
        assertThat(wrong.stream().sorted()).isEmpty();
    }
}
