// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.ffi.NativeAccess;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The dependency rule of ARCHITECTURE.md, over the compiled classes of all modules. */
class ArchitectureTest {
    private static final String JDK = "java.";

    /** Module to what it may use besides itself, java.* and JSpecify's annotations. */
    private static final Map<String, List<String>> MAY_USE = new TreeMap<>(Map.ofEntries(
            Map.entry("ffi", List.of()),
            Map.entry("core", List.of("jdk.jfr.", "jdk.net.", "javax.crypto.", "com.sun.source.", "javax.tools.")),
            Map.entry("host", List.of("jdk.jfr.", ours("core"), ours("ffi"))),
            Map.entry("shmem", List.of(ours("core"), ours("ffi"), ours("host"))),
            Map.entry("mpi", List.of(ours("core"), ours("ffi"))),
            Map.entry("cuda", List.of(ours("core"), ours("ffi"))),
            Map.entry("bind", List.of("javax.lang.model.", ours("core"), ours("cuda"))),
            Map.entry("nccl", List.of("jdk.jfr.", ours("core"), ours("ffi"), ours("cuda"))),
            Map.entry("nvshmem", List.of("jdk.jfr.", ours("core"), ours("ffi"), ours("cuda"))),
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
                            "jdk.jfr.",
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
                            "jdk.jfr.",
                            "com.sun.management.",
                            "javax.imageio.",
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
                            "org.knowm.xchart.",
                            "javax.imageio.")),
            Map.entry("apps", List.of("javax.imageio.", ours("core"), ours("math"), ours("array"), ours("operator"))),
            Map.entry(
                    "cli",
                    List.of(
                            "com.sun.management.",
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
                            "picocli."))));

    private static final Pattern TYPE = Pattern.compile("L([\\w/$-]+);");

    private static final List<Type> ALL = new ArrayList<>();

    static {
        // Modules are folders or jars; tests and their support are none.
        Stream.of(System.getProperty("java.class.path").split(System.getProperty("path.separator")))
                .filter(each -> each.contains("comm4j-"))
                .filter(each -> !each.contains("comm4j-test") && !each.matches(".*test(s\\.jar|-classes)"))
                .map(Path::of)
                .forEach(ArchitectureTest::load);
    }

    private static void load(Path module) {
        try {
            if (Files.isDirectory(module)) {
                loadBelow(module);
            } else {
                try (FileSystem jar = FileSystems.newFileSystem(module)) {
                    loadBelow(jar.getPath("/"));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void loadBelow(Path root) throws IOException {
        if (!Files.isDirectory(root.resolve("org/comm4j"))) {
            return;
        }
        ModuleDescriptor module;
        try (InputStream info = Files.newInputStream(root.resolve("module-info.class"))) {
            module = ModuleDescriptor.read(info);
        }
        try (Stream<Path> files = Files.walk(root.resolve("org/comm4j"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                ALL.add(new Type(Files.readAllBytes(file), module));
            }
        }
    }

    /**
     * A class of a module.
     *
     * @param uses the names of the types that it names, but for those of generics
     */
    private record Type(ClassModel model, ModuleDescriptor module, Set<String> uses) {
        Type(byte[] file, ModuleDescriptor module) {
            this(ClassFile.of().parse(file), module);
        }

        private Type(ClassModel model, ModuleDescriptor module) {
            this(model, module, uses(model));
        }

        String name() {
            return model.thisClass().asInternalName().replace('/', '.');
        }

        String packageName() {
            return name().substring(0, name().lastIndexOf('.'));
        }

        private static Set<String> uses(ClassModel model) {
            Set<String> names = new TreeSet<>();
            model.superclass().ifPresent(each -> add(each, names));
            model.interfaces().forEach(each -> add(each, names));
            annotations(model).forEach(each -> add(each, names));
            model.fields().forEach(field -> {
                add(field.fieldType().stringValue(), names);
                annotations(field).forEach(each -> add(each, names));
            });
            model.methods().forEach(method -> {
                add(method.methodType().stringValue(), names);
                annotations(method).forEach(each -> add(each, names));
                method.code().ifPresent(code -> code.forEach(element -> use(element, names)));
            });
            return names;
        }

        /** Not what is only passed on, which the compiler may cast: nobody names the type of that. */
        private static void use(CodeElement element, Set<String> names) {
            switch (element) {
                case InvokeInstruction each -> add(each.owner(), names);
                case FieldInstruction each -> add(each.owner(), names);
                case NewObjectInstruction each -> add(each.className(), names);
                case NewReferenceArrayInstruction each -> add(each.componentType(), names);
                case TypeCheckInstruction each when each.opcode() == Opcode.INSTANCEOF -> add(each.type(), names);
                case ConstantInstruction.LoadConstantInstruction each
                when each.constantEntry() instanceof ClassEntry type -> add(type, names);
                case ExceptionCatch each -> each.catchType().ifPresent(type -> add(type, names));
                case InvokeDynamicInstruction each ->
                    each.bootstrapArgs().forEach(argument -> {
                        if (argument instanceof DirectMethodHandleDesc method) {
                            add(method.owner().descriptorString(), names);
                        }
                    });
                default -> {}
            }
        }

        private static void add(ClassEntry type, Set<String> names) {
            add(type.asSymbol().descriptorString(), names);
        }

        private static void add(String descriptor, Set<String> names) {
            TYPE.matcher(descriptor)
                    .results()
                    .forEach(each -> names.add(each.group(1).replace('/', '.')));
        }

        /** What members of other classes it names. */
        Stream<MemberRefEntry> members() {
            List<MemberRefEntry> members = new ArrayList<>();
            for (PoolEntry entry : model.constantPool()) {
                if (entry instanceof MemberRefEntry member) {
                    members.add(member);
                }
            }
            return members.stream();
        }
    }

    /** Their descriptors. */
    private static Stream<String> annotations(AttributedElement of) {
        return Stream.concat(
                        of.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                                .flatMap(all -> all.annotations().stream()),
                        of.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
                                .flatMap(all -> all.annotations().stream()))
                .map(each -> each.className().stringValue());
    }

    private static String ours(String module) {
        return "org.comm4j." + module + ".";
    }

    /** What the types of a package and below use that does not begin with any of these. */
    private static List<String> usesBesides(String packages, List<String> allowed) {
        return ALL.stream()
                .filter(type -> type.name().startsWith(packages))
                .flatMap(type -> type.uses().stream()
                        .filter(used -> allowed.stream().noneMatch(used::startsWith))
                        .map(used -> type.name() + " uses " + used))
                .toList();
    }

    private static List<String> forbidden(String module, List<String> allowed) {
        return usesBesides(
                ours(module),
                Stream.concat(allowed.stream(), Stream.of(ours(module), JDK, "org.jspecify."))
                        .toList());
    }

    @TestFactory
    Stream<DynamicTest> modulesUseOnlyWhatTheyMay() {
        return MAY_USE.entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(
                        e.getKey(),
                        () -> assertThat(forbidden(e.getKey(), e.getValue())).isEmpty()));
    }

    /** A module that is missing from the table would be checked by nobody. */
    @Test
    void everyModuleHasARule() {
        Set<String> modules = new LinkedHashSet<>();
        ALL.forEach(type -> modules.add(type.packageName().split("\\.")[2]));
        assertThat(MAY_USE.keySet()).containsExactlyInAnyOrderElementsOf(modules);
    }

    @Test
    void theRuleFindsAForbiddenDependency() {
        assertThat(forbidden("cli", List.of()))
                .contains(
                        "org.comm4j.cli.Main uses picocli.CommandLine",
                        "org.comm4j.cli.Main uses picocli.CommandLine$Command");
    }

    @Test
    void onlyFfiCallsRestrictedMethods() {
        assertThat(ALL.stream()
                        .filter(type -> !type.name().startsWith(ours("ffi")))
                        .flatMap(ArchitectureTest::restrictedCalls))
                .isEmpty();
    }

    @Test
    void theRuleFindsARestrictedCall() throws IOException {
        try (InputStream bytes = ArchitectureTest.class.getResourceAsStream("ArchitectureTest$Offender.class")) {
            Type offender = new Type(bytes.readAllBytes(), ALL.getFirst().module());
            assertThat(restrictedCalls(offender)).singleElement().asString().endsWith("MemorySegment.reinterpret");
        }
    }

    private static final class Offender {
        @SuppressWarnings({"restricted", "unused"})
        static MemorySegment anything(long address) {
            return MemorySegment.ofAddress(address).reinterpret(8);
        }
    }

    private static Stream<String> restrictedCalls(Type type) {
        return type.members()
                .filter(each -> RESTRICTED
                        .getOrDefault(each.owner().asInternalName().replace('/', '.'), List.of())
                        .contains(each.name().stringValue()))
                .map(each -> type.name() + " calls " + each.owner().asInternalName() + "."
                        + each.name().stringValue());
    }

    /**
     * A C function takes any address: whoever could call it through this module would need no native access of its own.
     */
    @Test
    void bindingsAreExportedToOwnModulesOnly() {
        ModuleDescriptor ffi = ALL.stream()
                .map(Type::module)
                .filter(each -> each.name().equals("org.comm4j.ffi"))
                .findFirst()
                .orElseThrow();
        assertThat(ffi.exports().stream().filter(each -> !each.isQualified()).map(ModuleDescriptor.Exports::source))
                .containsExactlyInAnyOrder("org.comm4j.ffi", "org.comm4j.ffi.handle");
    }

    /** A handle is an address that a library follows. */
    @Test
    void whoTakesAHandleLooksForNativeAccess() {
        List<String> trusting = new ArrayList<>();
        int methods = 0;
        for (Type type : ALL) {
            if (!type.model().flags().has(AccessFlag.PUBLIC) || type.name().startsWith(ours("ffi"))) {
                continue;
            }
            for (MethodModel method : type.model().methods()) {
                if (method.flags().has(AccessFlag.PUBLIC)
                        && method.methodType().stringValue().matches(".*Lorg/comm4j/ffi/handle/.*\\).*")) {
                    methods++;
                    if (!looksForNativeAccess(method)) {
                        trusting.add(type.name() + "." + method.methodName().stringValue());
                    }
                }
            }
        }
        assertThat(methods).isPositive();
        assertThat(trusting).isEmpty();
    }

    private static boolean looksForNativeAccess(MethodModel method) {
        String owner = NativeAccess.class.getName().replace('.', '/');
        return method.code().stream()
                .flatMap(code -> code.elementStream())
                .anyMatch(each -> each instanceof InvokeInstruction call
                        && call.owner().asInternalName().equals(owner));
    }

    /** Else they run where the class path is used, as in tests, but not as modules. */
    @Test
    void packagesWithKernelsAreOpenToWhatRunsThemOnTheCpu() {
        String kernel = "L" + Kernel.class.getName().replace('.', '/') + ";";
        Set<String> packages = new LinkedHashSet<>();
        for (Type type : ALL) {
            if (type.model().methods().stream()
                            .anyMatch(method -> annotations(method).anyMatch(kernel::equals))
                    && packages.add(type.packageName())) {
                assertThat(type.module().opens())
                        .as(type.packageName())
                        .anyMatch(each -> each.source().equals(type.packageName())
                                && each.targets().contains("org.comm4j.kernel"));
            }
        }
        assertThat(packages).contains("org.comm4j.bench.jacobi", "org.comm4j.device", "org.comm4j.moe");
    }

    @Test
    void noDesktopOutsideOfToolsAndNoIncubator() {
        List<String> tools = List.of(ours("bench"), ours("apps"), ours("cli"));
        for (Type type : ALL) {
            if (tools.stream().noneMatch(type.name()::startsWith)) {
                assertThat(type.uses())
                        .as(type.name())
                        .noneMatch(
                                each -> each.matches("(java\\.awt|javax\\.swing|javax\\.imageio|java\\.beans)\\..*"));
            }
            assertThat(type.uses())
                    .as(type.name())
                    .noneMatch(each -> each.matches("(jdk\\.incubator|sun|jdk\\.internal)\\..*"));
        }
    }

    /**
     * By class. The JDK marks its restricted methods with an internal annotation that is not readable here, so they are
     * named.
     */
    private static final Map<String, List<String>> RESTRICTED = restricted();

    private static Map<String, List<String>> restricted() {
        Map<Class<?>, List<String>> methods = Map.of(
                MemorySegment.class, List.of("reinterpret"),
                Linker.class, List.of("downcallHandle", "upcallStub"),
                SymbolLookup.class, List.of("libraryLookup"),
                AddressLayout.class, List.of("withTargetLayout"),
                ModuleLayer.Controller.class, List.of("enableNativeAccess"),
                System.class, List.of("load", "loadLibrary"));
        methods.forEach(
                (type, names) -> assertThat(Arrays.stream(type.getMethods()).map(Method::getName))
                        .containsAll(names));
        return methods.entrySet().stream()
                .collect(Collectors.toMap(each -> each.getKey().getName(), Map.Entry::getValue));
    }
}
