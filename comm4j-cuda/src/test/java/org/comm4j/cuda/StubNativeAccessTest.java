// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import javax.tools.ToolProvider;
import org.comm4j.core.DataType;
import org.comm4j.ffi.Callbacks;
import org.comm4j.ffi.NativeMemory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What takes an address on trust is refused to code without native access, whatever the address. */
@Tag("stub")
@SuppressWarnings("restricted") // gives native access to a module of the test
class StubNativeAccessTest {
    private static final long ADDRESS = 1;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static ModuleLayer.Controller layer;

    /** Calls a method, which gets no further than that for a module that has no native access. */
    @SuppressWarnings("NullAway.Init")
    private static Method call;

    /** A module of its own, because the tests' has native access. */
    @BeforeAll
    static void load() throws Exception {
        StubDriver.load();
        Path module = folder.resolve("module-info.java");
        Path caller = folder.resolve("stranger/Caller.java");
        Files.createDirectories(caller.getParent());
        Files.writeString(module, "module stranger { exports stranger; }");
        Files.writeString(caller, """
                package stranger;
                public class Caller {
                    public static Object call(java.lang.reflect.Method method, Object[] arguments) throws Exception {
                        return method.invoke(null, arguments);
                    }
                    public static Object handle(java.lang.invoke.MethodHandle method, long argument) throws Throwable {
                        java.util.function.LongFunction<Object> reference =
                                java.lang.invoke.MethodHandleProxies.asInterfaceInstance(
                                        java.util.function.LongFunction.class, method);
                        return java.util.stream.LongStream.of(argument).mapToObj(reference).toList();
                    }
                }
                """);
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", folder.toString(), module.toString(), caller.toString());
        assertThat(status).isZero();
        ModuleLayer parent = ModuleLayer.boot();
        Configuration configuration =
                parent.configuration().resolve(ModuleFinder.of(folder), ModuleFinder.of(), Set.of("stranger"));
        layer = ModuleLayer.defineModulesWithOneLoader(
                configuration, List.of(parent), ClassLoader.getSystemClassLoader());
        call = layer.layer()
                .findLoader("stranger")
                .loadClass("stranger.Caller")
                .getMethod("call", Method.class, Object[].class);
    }

    private static void assertRestricted(Class<?> owner, String name, Class<?>[] types, Object... arguments)
            throws Exception {
        Method method = owner.getMethod(name, types);
        assertThatThrownBy(() -> call.invoke(null, method, arguments))
                .as(method.toString())
                .isInstanceOf(InvocationTargetException.class)
                .rootCause()
                .isInstanceOf(IllegalCallerException.class)
                .hasMessageContaining(owner.getSimpleName() + "." + name + " is restricted")
                .hasMessageContaining("--enable-native-access=stranger");
    }

    @Test
    void whatTakesAnAddressOnTrustIsRestricted() throws Exception {
        try (Device device = Device.of(0)) {
            Class<?>[] tensor = {long.class, DlPack.Form.class};
            assertRestricted(DlPack.class, "flags", tensor, ADDRESS, DlPack.Form.VERSIONED);
            assertRestricted(DlPack.class, "discard", tensor, ADDRESS, DlPack.Form.VERSIONED);
            for (String name : List.of("take", "takeToRead")) {
                assertRestricted(
                        DlPack.class,
                        name,
                        new Class<?>[] {Device.class, long.class, DlPack.Form.class},
                        device,
                        ADDRESS,
                        DlPack.Form.VERSIONED);
            }
            for (String name : List.of("takeHost", "takeHostToRead")) {
                assertRestricted(
                        DlPack.class,
                        name,
                        new Class<?>[] {Arena.class, long.class, DlPack.Form.class},
                        Arena.ofAuto(),
                        ADDRESS,
                        DlPack.Form.VERSIONED);
            }
            assertRestricted(
                    DeviceArray.class,
                    "wrap",
                    new Class<?>[] {Device.class, DataType.class, long.class, long.class},
                    device,
                    DataType.INT8,
                    ADDRESS,
                    1L);
            assertRestricted(
                    DeviceArray.class,
                    "owned",
                    new Class<?>[] {Device.class, DataType.class, long.class, long.class, Runnable.class},
                    device,
                    DataType.INT8,
                    ADDRESS,
                    1L,
                    (Runnable) () -> {});
            assertRestricted(Stream.class, "wrap", new Class<?>[] {Device.class, long.class}, device, 0x1234L);
        }
        assertRestricted(NativeMemory.class, "at", new Class<?>[] {long.class, long.class}, ADDRESS, 1L);
        assertRestricted(NativeMemory.class, "string", new Class<?>[] {long.class}, ADDRESS);
        assertRestricted(Callbacks.class, "call", new Class<?>[] {long.class, long.class}, ADDRESS, 1L);
    }

    /** The JDK's own code has native access, and calls for everybody. */
    @Test
    void nobodyHidesBehindTheJdk() throws Exception {
        Method handle = call.getDeclaringClass().getMethod("handle", java.lang.invoke.MethodHandle.class, long.class);
        var restricted = MethodHandles.publicLookup()
                .findStatic(NativeMemory.class, "string", MethodType.methodType(String.class, long.class))
                .asType(MethodType.methodType(Object.class, long.class));
        assertThatThrownBy(() -> handle.invoke(null, restricted, ADDRESS))
                .rootCause()
                .isInstanceOf(IllegalCallerException.class)
                .hasMessageContaining("NativeMemory.string is restricted");
    }

    @Test
    void whoHasNativeAccessMayCall() throws Exception {
        try (Device device = Device.of(0)) {
            assertThat(Stream.wrap(device, 0)).isEqualTo(device.defaultStream());
        }
        assertThat(NativeMemory.string(0)).isNull();
    }
}
