// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.MethodParametersAttribute;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.frontend.FrontendOptions;
import org.comm4j.kernel.ir.Printer;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The method behind a reference or a lambda, and what it has captured. */
class KernelSourceTest {
    private int field = 3;

    @Kernel(maxThreads = 64, math = Kernel.Math.FAST)
    static void scale(F32Ptr x, float factor, int n) {
        for (int i = 0; i < n; i++) {
            x.set(i, x.get(i) * factor);
        }
    }

    private static <A, B, C> KernelMethod of(KernelMethod.Of3<A, B, C> kernel) {
        return kernel;
    }

    private static <A> KernelMethod of(KernelMethod.Of1<A> kernel) {
        return kernel;
    }

    @Test
    void aMethodReferenceIsItsMethod() throws Exception {
        KernelSource source = KernelSource.of(of(KernelSourceTest::scale));
        assertThat(source.method())
                .isEqualTo(KernelSourceTest.class.getDeclaredMethod("scale", F32Ptr.class, float.class, int.class));
        assertThat(source.captured()).isEmpty();
        assertThat(source.lambda()).isFalse();
        assertThat(Frontend.compile(source, FrontendOptions.DEFAULT).parameters())
                .extracting(Frontend.KernelParameter::name)
                .containsExactly("x", "factor", "n");
    }

    /** Has classes of its own, of which some have files. */
    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> classes;
        private final Set<String> files;

        Loader(Map<String, byte[]> classes, Set<String> files) {
            super(KernelSourceTest.class.getClassLoader());
            this.classes = classes;
            this.files = files;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            Class<?> loaded = findLoadedClass(name);
            if (bytes == null) {
                return super.loadClass(name, resolve);
            }
            return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
        }

        @Override
        public @Nullable InputStream getResourceAsStream(String file) {
            String name = file.replaceFirst("\\.class$", "").replace('/', '.');
            byte[] bytes = classes.get(name);
            if (bytes == null) {
                return super.getResourceAsStream(file);
            }
            return files.contains(name) ? new ByteArrayInputStream(bytes) : null;
        }
    }

    private static Class<?> define(byte[] bytes) throws ClassNotFoundException {
        String name = KernelSourceTest.class.getName();
        return new Loader(Map.of(name, bytes), Set.of(name)).loadClass(name);
    }

    private static byte[] own(MethodTransform changed) {
        return ClassFile.of()
                .transformClass(
                        ClassFile.of().parse(Objects.requireNonNull(ClassBytes.bytes(KernelSourceTest.class))),
                        ClassTransform.transformingMethods(changed));
    }

    private static Method scaleOf(Class<?> type) throws NoSuchMethodException {
        return type.getDeclaredMethod("scale", F32Ptr.class, float.class, int.class);
    }

    @Test
    void parametersAreNamedWithoutDebugInformation() throws Exception {
        // As javac -parameters writes it without -g.
        MethodTransform withoutVariables = MethodTransform.transformingCode((code, element) -> {
            if (!(element instanceof LocalVariable)) {
                code.with(element);
            }
        });
        Class<?> plain = define(own(withoutVariables));
        assertThat(plain).isNotEqualTo(KernelSourceTest.class);
        Method scale = scaleOf(plain);
        assertThat(ParameterNames.of(scale)).containsExactly("x", "factor", "n");
        Frontend.Result result = Frontend.compile(KernelSource.of(scale), FrontendOptions.DEFAULT);
        assertThat(result.parameters())
                .extracting(Frontend.KernelParameter::name)
                .containsExactly("x", "factor", "n");
        try (CompiledKernel kernel = KernelCompiler.cpu().compile(scale)) {
            assertThatThrownBy(() -> kernel.launch(LaunchConfig.grid(1), HostArray.of(1f), 2.0, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "kernel KernelSourceTest.scale, parameter 2 'factor': expected float, given Double 2.0");
        }
        // As javac writes it without either.
        byte[] nothing =
                own(withoutVariables.andThen(MethodTransform.dropping(MethodParametersAttribute.class::isInstance)));
        assertThat(Frontend.compile(KernelSource.of(scaleOf(define(nothing))), FrontendOptions.DEFAULT)
                        .parameters())
                .extracting(Frontend.KernelParameter::name)
                .containsExactly("p0", "p1", "p2");
    }

    static final class Template {
        @Kernel
        static void fill(F32Ptr x) {
            x.set(0, 1);
        }

        static KernelMethod reference() {
            KernelMethod.Of1<F32Ptr> reference = Template::fill;
            return reference;
        }
    }

    static final class Helper {
        static float half(float x) {
            return x / 2;
        }
    }

    static float quarter(float x) {
        return Helper.half(Helper.half(x));
    }

    @Kernel
    static void quarters(F32Ptr x) {
        x.set(0, quarter(x.get(0)));
    }

    private static void refused(Method kernel, String message) {
        assertThatThrownBy(() -> Frontend.compile(KernelSource.of(kernel), FrontendOptions.DEFAULT))
                .isInstanceOf(KernelCompileException.class)
                .hasMessage(message);
    }

    @Test
    void aKernelWithoutAClassFileIsRefusedEverywhere() throws Exception {
        byte[] bytes = Objects.requireNonNull(ClassBytes.bytes(KernelSourceTest.class));
        String name = KernelSourceTest.class.getName();
        String what = "Kernel KernelSourceTest.scale(F32Ptr, float, int) cannot be compiled: the class file of " + name
                + " cannot be found\n  hint: its class loader has to give it as a resource;"
                + " a class that is made at run time has none";
        Method made = scaleOf(new Loader(Map.of(name, bytes), Set.of()).loadClass(name));
        refused(made, what);
        // The class of that name that has a file is in the cache from here on.
        KernelCompiler.cpu().compile(scaleOf(KernelSourceTest.class)).close();
        assertThatThrownBy(() -> KernelCompiler.cpu().compile(made)).hasMessage(what);

        Class<?> hidden = MethodHandles.lookup()
                .defineHiddenClass(Objects.requireNonNull(ClassBytes.bytes(Template.class)), true)
                .lookupClass();
        String simple = hidden.getName().substring(hidden.getName().lastIndexOf('.') + 1);
        refused(
                hidden.getDeclaredMethod("fill", F32Ptr.class),
                "Kernel " + simple.replace('$', '.') + ".fill(F32Ptr) cannot be compiled: the class file of "
                        + hidden.getName() + " cannot be found: the class is hidden\n  hint: write kernels and what"
                        + " they call in classes that have a file; a hidden class is made at run time");
        Method of = hidden.getDeclaredMethod("reference");
        of.setAccessible(true);
        KernelMethod reference = (KernelMethod) of.invoke(null);
        assertThatThrownBy(() -> KernelSource.of(reference))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("its class is hidden or of a loader that does not know it by name")
                .hasMessageContaining("hint: write kernels in classes that have a file");
    }

    @Test
    void aCallIntoAClassWithoutAFileIsRefusedWithItsLines() throws Exception {
        String name = KernelSourceTest.class.getName();
        String helper = Helper.class.getName();
        Map<String, byte[]> classes = Map.of(
                name, Objects.requireNonNull(ClassBytes.bytes(KernelSourceTest.class)),
                helper, Objects.requireNonNull(ClassBytes.bytes(Helper.class)));
        Method kernel = new Loader(classes, Set.of(name)).loadClass(name).getDeclaredMethod("quarters", F32Ptr.class);
        assertThatThrownBy(() -> Frontend.compile(KernelSource.of(kernel), FrontendOptions.DEFAULT))
                .isInstanceOf(KernelCompileException.class)
                .message()
                .matches("""
                    Kernel KernelSourceTest.quarters\\(F32Ptr\\) cannot be compiled: \
                    call of %s.half: the class file of %s cannot be found
                      at KernelSourceTest.quarter \\(KernelSourceTest.java:\\d+\\)
                      called from KernelSourceTest.quarters \\(KernelSourceTest.java:\\d+\\)
                      hint: its class loader has to give it as a resource; a class that is made at run time has none\
                    """.formatted(helper.replace('$', '.'), helper.replace("$", "\\$")));
        // A CPU has no need of it.
        HostArray x = HostArray.of(8f);
        kernel.setAccessible(true);
        KernelCompiler.cpu(CpuOptions.fast().anyJava()).compile(kernel).launch(LaunchConfig.grid(1), x);
        assertThat(x.getFloat(0)).isEqualTo(2);
    }

    @Test
    void whatALambdaHasCapturedIsConstantAndTheKernelItCallsGivesTheOptions() {
        float factor = Float.parseFloat("2.5");
        int n = Integer.parseInt("7");
        KernelSource source = KernelSource.of(of((F32Ptr x) -> scale(x, factor, n)));
        assertThat(source.captured()).containsExactly(2.5f, 7);
        assertThat(source.lambda()).isTrue();
        Frontend.Result result = Frontend.compile(source, FrontendOptions.DEFAULT);
        assertThat(result.parameters()).hasSize(1);
        assertThat(result.parameters().getFirst().bound()).isNull();
        assertThat(result.program().fast()).isTrue();
        assertThat(result.program().kernel().launch().maxThreads()).isEqualTo(64);
        assertThat(Printer.print(result.program().kernel())).contains("2.5").contains("7");
    }

    @Test
    void aCapturedPointerIsAParameterThatEveryLaunchGets() {
        F32Ptr y = F32Ptr.of(HostArray.allocate(DataType.FLOAT32, 4));
        Frontend.Result result =
                Frontend.compile(KernelSource.of(of((F32Ptr x) -> x.set(0, y.get(0)))), FrontendOptions.DEFAULT);
        assertThat(result.parameters()).hasSize(2);
        assertThat(result.parameters().get(0).bound()).isSameAs(y);
        assertThat(result.parameters().get(1).bound()).isNull();
    }

    @Test
    void aLambdaThatUsesItsObjectIsRefused() {
        assertThatThrownBy(() -> KernelSource.of(of((F32Ptr x) -> x.set(0, field))))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("the lambda uses this object, which does not exist on the GPU")
                .hasMessageContaining("hint: copy what it needs of the object to local variables before");
    }

    @Test
    void anObjectThatImplementsTheInterfaceIsRefused() {
        KernelMethod object = new KernelMethod.Of1<F32Ptr>() {
            private static final long serialVersionUID = 1;

            @Override
            public void run(F32Ptr x) {
                x.set(0, 1);
            }
        };
        assertThatThrownBy(() -> KernelSource.of(object))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("it is neither a method reference nor a lambda");
    }

    @Test
    void classesThatAreMadeAtRunTimeHaveNoBytes() {
        Runnable lambda = () -> field++;
        assertThat(ClassBytes.bytes(lambda.getClass())).isNull();
        assertThat(ClassBytes.bytes(KernelSourceTest.class)).startsWith(0xca, 0xfe, 0xba, 0xbe);
    }
}
