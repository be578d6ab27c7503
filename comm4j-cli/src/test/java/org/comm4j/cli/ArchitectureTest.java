// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.ffi.NativeAccess;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The dependency rule of ARCHITECTURE.md, over the compiled classes of all modules. */
class ArchitectureTest {
    private static final String JDK = "java..";

    /** Module to what it may use besides itself, java.* and JSpecify's annotations. */
    private static final Map<String, List<String>> MAY_USE = new TreeMap<>(Map.ofEntries(
            Map.entry("ffi", List.of()),
            Map.entry("core", List.of("jdk.jfr..", "jdk.net..", "javax.crypto..", "com.sun.source..", "javax.tools..")),
            Map.entry("host", List.of("jdk.jfr..", ours("core"), ours("ffi"))),
            Map.entry("shmem", List.of(ours("core"), ours("ffi"), ours("host"))),
            Map.entry("mpi", List.of(ours("core"), ours("ffi"))),
            Map.entry("cuda", List.of(ours("core"), ours("ffi"))),
            Map.entry("bind", List.of("javax.lang.model..", ours("core"), ours("cuda"))),
            Map.entry("nccl", List.of("jdk.jfr..", ours("core"), ours("ffi"), ours("cuda"))),
            Map.entry("nvshmem", List.of("jdk.jfr..", ours("core"), ours("ffi"), ours("cuda"))),
            Map.entry("kernel", List.of(ours("core"), ours("ffi"), ours("cuda"))),
            Map.entry("math", List.of(ours("core"), ours("ffi"), ours("cuda"), ours("kernel"))),
            // Calculations of solvers are kernels on a GPU, with the kernels' pointers.
            Map.entry("array", List.of(ours("core"), ours("kernel"), ours("math"))),
            Map.entry("operator", List.of(ours("core"), ours("kernel"), ours("math"), ours("array"))),
            Map.entry(
                    "device",
                    List.of(
                            ours("core"),
                            ours("ffi"),
                            ours("host"),
                            ours("cuda"),
                            ours("nccl"),
                            ours("nvshmem"),
                            ours("kernel"))),
            Map.entry(
                    "moe",
                    List.of(
                            "jdk.jfr..",
                            ours("core"),
                            ours("host"),
                            ours("cuda"),
                            ours("nccl"),
                            ours("nvshmem"),
                            ours("kernel"),
                            ours("device"))),
            Map.entry(
                    "bench",
                    List.of(
                            "jdk.jfr..",
                            "com.sun.management..",
                            "javax.imageio..",
                            ours("core"),
                            ours("ffi"),
                            ours("host"),
                            ours("shmem"),
                            ours("cuda"),
                            ours("nccl"),
                            ours("nvshmem"),
                            ours("kernel"),
                            ours("device"),
                            ours("moe"),
                            ours("math"),
                            ours("array"),
                            ours("operator"),
                            "org.knowm.xchart..",
                            "javax.imageio..")),
            Map.entry("apps", List.of("javax.imageio..", ours("core"), ours("math"), ours("array"), ours("operator"))),
            Map.entry(
                    "cli",
                    List.of(
                            "com.sun.management..",
                            ours("core"),
                            ours("ffi"),
                            ours("host"),
                            ours("shmem"),
                            ours("mpi"),
                            ours("cuda"),
                            ours("nccl"),
                            ours("nvshmem"),
                            ours("kernel"),
                            ours("device"),
                            ours("moe"),
                            ours("math"),
                            ours("array"),
                            ours("bench"),
                            ours("apps"),
                            ours("bind"),
                            "picocli.."))));

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .withImportOption(location -> !location.contains("comm4j-test"))
            .importPackages("org.comm4j");

    private static String ours(String module) {
        return "org.comm4j." + module + "..";
    }

    private static ArchRule usesOnly(String module, List<String> allowed) {
        List<String> packages = new ArrayList<>(allowed);
        packages.addAll(List.of(ours(module), JDK, "org.jspecify.."));
        return classes()
                .that()
                .resideInAPackage(ours(module))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(packages.toArray(new String[0])))
                .allowEmptyShould(true);
    }

    @TestFactory
    Stream<DynamicTest> modulesUseOnlyWhatTheyMay() {
        return MAY_USE.entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(
                        e.getKey(), () -> usesOnly(e.getKey(), e.getValue()).check(ALL)));
    }

    /** A module that is missing from the table would be checked by nobody. */
    @Test
    void everyModuleHasARule() {
        Set<String> modules = new LinkedHashSet<>();
        ALL.forEach(c -> modules.add(c.getPackageName().split("\\.")[2]));
        assertThat(MAY_USE.keySet()).containsAll(modules);
        assertThat(modules).contains("cli");
    }

    @Test
    void theRuleFindsAForbiddenDependency() {
        assertThatThrownBy(() -> usesOnly("cli", List.of()).check(ALL))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("picocli");
    }

    @Test
    void onlyFfiCallsRestrictedMethods() {
        noRestrictedCalls().check(ALL);
    }

    @Test
    void theRuleFindsARestrictedCall() {
        JavaClasses offender = new ClassFileImporter().importClasses(Offender.class);
        assertThatThrownBy(() -> noRestrictedCalls().check(offender))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("reinterpret");
    }

    private static final class Offender {
        @SuppressWarnings({"restricted", "unused"})
        static MemorySegment anything(long address) {
            return MemorySegment.ofAddress(address).reinterpret(8);
        }
    }

    private static ArchRule noRestrictedCalls() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(ours("ffi"))
                .should()
                .accessTargetWhere(restricted())
                .orShould()
                .callMethod(System.class, "load", String.class)
                .orShould()
                .callMethod(System.class, "loadLibrary", String.class);
    }

    /**
     * A C function takes any address: whoever could call it through this module would need no native access of its own.
     */
    @Test
    void bindingsAreExportedToOwnModulesOnly() throws IOException {
        String folder = NativeAccess.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        String from = folder.endsWith(".jar") ? "jar:" + folder + "!/" : folder;
        try (InputStream bytes = URI.create(from + "module-info.class").toURL().openStream()) {
            Set<String> open = ModuleDescriptor.read(bytes).exports().stream()
                    .filter(each -> !each.isQualified())
                    .map(ModuleDescriptor.Exports::source)
                    .collect(Collectors.toSet());
            assertThat(open).containsExactlyInAnyOrder("org.comm4j.ffi", "org.comm4j.ffi.handle");
        }
    }

    /** A handle is an address that a library follows. */
    @Test
    void whoTakesAHandleLooksForNativeAccess() {
        List<String> trusting = new ArrayList<>();
        int methods = 0;
        for (JavaClass type : ALL) {
            if (!type.getModifiers().contains(JavaModifier.PUBLIC)
                    || type.getPackageName().startsWith("org.comm4j.ffi")) {
                continue;
            }
            for (JavaMethod method : type.getMethods()) {
                if (method.getModifiers().contains(JavaModifier.PUBLIC)
                        && method.getRawParameterTypes().stream()
                                .anyMatch(each -> each.getPackageName().equals("org.comm4j.ffi.handle"))) {
                    methods++;
                    if (method.getMethodCallsFromSelf().stream()
                            .noneMatch(call -> call.getTargetOwner().isEquivalentTo(NativeAccess.class))) {
                        trusting.add(method.getFullName());
                    }
                }
            }
        }
        assertThat(methods).isPositive();
        assertThat(trusting).isEmpty();
    }

    /** Else they run where the class path is used, as in tests, but not as modules. */
    @Test
    void packagesWithKernelsAreOpenToWhatRunsThemOnTheCpu() throws IOException {
        Set<String> packages = new LinkedHashSet<>();
        for (JavaClass type : ALL) {
            if (type.getMethods().stream().anyMatch(method -> method.isAnnotatedWith(Kernel.class))
                    && packages.add(type.getPackageName())) {
                assertThat(openToKernel(type)).as(type.getPackageName()).isTrue();
            }
        }
        assertThat(packages).contains("org.comm4j.bench.jacobi", "org.comm4j.device", "org.comm4j.moe");
    }

    private static boolean openToKernel(JavaClass type) throws IOException {
        String source = type.getSource().orElseThrow().getUri().toString();
        String root = source.substring(0, source.length() - type.getFullName().length() - ".class".length());
        try (InputStream info = URI.create(root + "module-info.class").toURL().openStream()) {
            return ModuleDescriptor.read(info).opens().stream()
                    .anyMatch(each -> each.source().equals(type.getPackageName())
                            && each.targets().contains("org.comm4j.kernel"));
        }
    }

    @Test
    void noDesktopOutsideOfToolsAndNoIncubator() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ours("bench"), ours("apps"), ours("cli"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.awt..", "javax.swing..", "javax.imageio..", "java.beans..")
                .check(ALL);
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jdk.incubator..", "sun..", "jdk.internal..")
                .check(ALL);
    }

    /**
     * The JDK marks its restricted methods with an internal annotation that is not readable here, so they are named.
     */
    private static DescribedPredicate<JavaAccess<?>> restricted() {
        Map<Class<?>, List<String>> methods = Map.of(
                MemorySegment.class, List.of("reinterpret"),
                Linker.class, List.of("downcallHandle", "upcallStub"),
                SymbolLookup.class, List.of("libraryLookup"),
                AddressLayout.class, List.of("withTargetLayout"),
                ModuleLayer.Controller.class, List.of("enableNativeAccess"));
        methods.forEach(
                (type, names) -> assertThat(Arrays.stream(type.getMethods()).map(Method::getName))
                        .containsAll(names));
        return describe(
                "is a restricted method",
                access -> methods.entrySet().stream()
                        .anyMatch(e -> access.getTargetOwner().isEquivalentTo(e.getKey())
                                && e.getValue().contains(access.getTarget().getName())));
    }
}
