// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.cli.Running.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Projects of users, with nothing of this build but what {@code ./comm4j install} puts into a local Maven repository.
 */
class ConsumerTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final String VERSION = Version.current().replaceFirst("^comm4j ", "");

    @TempDir
    static Path folder;

    /** The jars of the published modules by artifact. */
    private static final Map<String, Path> JARS = new LinkedHashMap<>();

    private static Path repository;

    @BeforeAll
    static void install() throws IOException {
        repository = folder.resolve("repository");
        put("comm4j-parent", ROOT.resolve("pom.xml"), ".pom");
        put("comm4j-bom", ROOT.resolve("comm4j-bom/pom.xml"), ".pom");
        for (String artifact : published()) {
            put(artifact, ROOT.resolve(artifact).resolve("pom.xml"), ".pom");
            JARS.put(artifact, put(artifact, jar(artifact), ".jar"));
        }
    }

    /** The BOM lists what is published. */
    static List<String> published() throws IOException {
        return Pattern.compile("<artifactId>(comm4j-\\w+)</artifactId>\\s*<version>\\$")
                .matcher(Files.readString(ROOT.resolve("comm4j-bom/pom.xml")))
                .results()
                .map(each -> each.group(1))
                .toList();
    }

    private static Path put(String artifact, Path file, String ending) throws IOException {
        Path to =
                repository.resolve("org/comm4j/" + artifact + "/" + VERSION + "/" + artifact + "-" + VERSION + ending);
        Files.createDirectories(to.getParent());
        return Files.copy(file, to);
    }

    /** The jar of this build; packed here where the build stops before it packs. */
    private static Path jar(String artifact) throws IOException {
        Path built = classPath()
                .filter(each -> each.startsWith(ROOT.resolve(artifact)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(artifact + " is not on the class path"));
        if (!Files.isDirectory(built)) {
            return built;
        }
        Path jar = folder.resolve(artifact + ".jar");
        assertThat(tool("jar", "--create", "--file", jar.toString(), "-C", built.toString(), "."))
                .isEmpty();
        return jar;
    }

    private static Stream<Path> classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of);
    }

    /** The local repository of this build, which has the plugins and JUnit. */
    private static Path localRepository() {
        Path junit = classPath()
                .filter(each -> each.toString().contains("/org/junit/jupiter/junit-jupiter-api/"))
                .findFirst()
                .orElseThrow();
        // org/junit/jupiter/junit-jupiter-api/VERSION/FILE
        return Stream.iterate(junit, Path::getParent).skip(6).findFirst().orElseThrow();
    }

    private static String jars() {
        return JARS.values().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** What a tool of the JDK says. */
    private static String tool(String name, String... words) {
        StringWriter said = new StringWriter();
        PrintWriter to = new PrintWriter(said);
        int code = ToolProvider.findFirst(name).orElseThrow().run(to, to, words);
        return code == 0 ? said.toString() : name + " ended with " + code + ": " + said;
    }

    private static String javac(Path to, String... words) {
        List<String> all = new ArrayList<>(List.of("-Xlint:all", "-Werror", "-d", to.toString()));
        all.addAll(List.of(words));
        return tool("javac", all.toArray(String[]::new));
    }

    // ---- the project of docs/getting-started.md ----

    /** Once on the class path, once as a module: compiled and tested by Maven, run by java. */
    @Test
    void theProjectOfTheDocument() throws Exception {
        assumeTrue(Files.isExecutable(ROOT.resolve("mvnw")), "there is no build here");
        Map<String, String> files = files(ROOT.resolve("docs/getting-started.md"));
        assertThat(files).containsKeys("pom.xml", "src/main/java/module-info.java");
        Path project = folder.resolve("project");
        write(project.resolve("plain"), without(files, "src/main/java/module-info.java"));
        write(project.resolve("modular"), modular(files));
        Files.writeString(project.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>org.example</groupId>
                  <artifactId>all</artifactId>
                  <version>1.0</version>
                  <packaging>pom</packaging>
                  <modules>
                    <module>plain</module>
                    <module>modular</module>
                  </modules>
                  <build>
                    <pluginManagement>
                      <plugins>
                        <plugin>
                          <artifactId>maven-resources-plugin</artifactId>
                          <version>%s</version>
                        </plugin>
                      </plugins>
                    </pluginManagement>
                  </build>
                </project>
                """.formatted(resourcesPlugin()));
        Outcome built = run(
                Duration.ofMinutes(3),
                List.of(
                        ROOT.resolve("mvnw").toString(),
                        "-B",
                        "-ntp",
                        "-o",
                        "-f",
                        project.toString(),
                        "-Dmaven.repo.local=" + repository,
                        "-Dmaven.repo.local.tail=" + localRepository(),
                        "test"));
        assertThat(built.code()).as(built.toString()).isZero();
        assertThat(built.lines().stream().filter(line -> line.startsWith("[INFO] Tests run: 2,")))
                .as(built.out())
                .hasSize(4);
        assertThat(built.out() + built.err()).doesNotContain("[WARNING]", "restricted method", "jspecify");

        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path classes = project.resolve("plain/target/classes");
        assertThat(run(
                        Duration.ofMinutes(1),
                        List.of(
                                java,
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                classes + File.pathSeparator + jars(),
                                "demo.Sum")))
                .isEqualTo(new Outcome(0, "rank 0 of 1: 1.0\n", ""));
        Path module = project.resolve("modular/target/classes");
        assertThat(run(
                        Duration.ofMinutes(1),
                        List.of(
                                java,
                                "--enable-native-access=org.comm4j.ffi",
                                "-p",
                                module + File.pathSeparator + jars(),
                                "-m",
                                "demo/demo.Sum")))
                .isEqualTo(new Outcome(0, "rank 0 of 1: 1.0\n", ""));
    }

    /** The files that a document shows below their names. */
    private static Map<String, String> files(Path document) throws IOException {
        Matcher block = Pattern.compile("(?ms)^`([\\w./-]+)`:\\n\\n```(?:xml|java file)\\n(.*?)^```$")
                .matcher(Files.readString(document));
        Map<String, String> files = new LinkedHashMap<>();
        while (block.find()) {
            files.put(block.group(1), block.group(2));
        }
        return files;
    }

    /** The version that this build has fetched. */
    private static String resourcesPlugin() throws IOException {
        Matcher version = Pattern.compile("maven-resources-plugin</artifactId>\\s*<version>(.*?)<")
                .matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    /** A pom with a parent in the folder above, which the user's project does not have. */
    private static String inside(String pom) {
        return pom.replace("<modelVersion>4.0.0</modelVersion>", """
                <modelVersion>4.0.0</modelVersion>
                <parent>
                  <groupId>org.example</groupId>
                  <artifactId>all</artifactId>
                  <version>1.0</version>
                </parent>
                """);
    }

    private static Map<String, String> without(Map<String, String> files, String name) {
        Map<String, String> others = new LinkedHashMap<>(files);
        others.remove(name);
        return others;
    }

    /** What the comment in the pom says about modules. */
    private static Map<String, String> modular(Map<String, String> files) {
        Map<String, String> modular = new LinkedHashMap<>(files);
        String pom = files.getOrDefault("pom.xml", "");
        String changed = pom.replace(
                        "<native.access>ALL-UNNAMED</native.access>", "<native.access>org.comm4j.ffi</native.access>")
                .replace("<artifactId>demo</artifactId>", "<artifactId>demo-module</artifactId>");
        modular.put("pom.xml", changed);
        return modular;
    }

    private static void write(Path project, Map<String, String> files) throws IOException {
        for (Map.Entry<String, String> each : files.entrySet()) {
            Path file = project.resolve(each.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, each.getKey().equals("pom.xml") ? inside(each.getValue()) : each.getValue());
        }
    }

    private static Outcome run(Duration limit, List<String> words) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MAVEN_") || name.startsWith("COMM4J_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return Running.start(builder, folder).end(limit);
    }

    // ---- every module ----

    /** No module asks for one that only this build has. */
    @Test
    void aModuleMayRequireEachPublishedModule() throws IOException {
        Set<String> modules = descriptors().keySet();
        assertThat(modules).hasSameSizeAs(JARS.keySet());
        Path source = Files.createDirectories(folder.resolve("requiring"));
        Files.writeString(
                source.resolve("module-info.java"),
                modules.stream()
                        .map(each -> "    requires " + each + ";\n")
                        .collect(Collectors.joining("", """
                        module requiring {
                        """, "}\n")));
        Files.createDirectories(source.resolve("requiring"));
        Files.writeString(source.resolve("requiring/Rank.java"), """
                package requiring;

                class Rank {
                    int rank(org.comm4j.core.Communicator comm) {
                        return comm.rank();
                    }
                }
                """);
        String descriptor = source.resolve("module-info.java").toString();
        String rank = source.resolve("requiring/Rank.java").toString();
        assertThat(javac(source.resolve("module"), "-p", jars(), descriptor, rank))
                .isEmpty();
        assertThat(javac(source.resolve("classes"), "-cp", jars(), rank)).isEmpty();

        Path[] paths = JARS.values().toArray(Path[]::new);
        Configuration resolved =
                ModuleLayer.boot().configuration().resolve(ModuleFinder.of(paths), ModuleFinder.of(), modules);
        assertThat(resolved.modules().stream().map(each -> each.name()).toList())
                .containsExactlyInAnyOrderElementsOf(modules);
    }

    /** As javac's warnings about exports, which the build turns off because of the annotations of JSpecify. */
    @Test
    void exportedTypesMentionOnlyWhatTheirUsersCanRead() throws Exception {
        Map<String, ModuleDescriptor> descriptors = descriptors();
        Map<String, String> modules = new LinkedHashMap<>();
        descriptors.forEach((name, each) -> each.packages().forEach(inside -> modules.put(inside, name)));
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, Path> jar : JARS.entrySet()) {
            ModuleDescriptor descriptor =
                    ModuleFinder.of(jar.getValue()).findAll().iterator().next().descriptor();
            Set<String> readable = readable(descriptor.name(), descriptors);
            for (Class<?> type : exportedTypes(jar.getValue(), descriptor)) {
                for (Class<?> mentioned : Mentioned.by(type)) {
                    String home = modules.get(mentioned.getPackageName());
                    String module = home != null
                            ? home
                            : String.valueOf(mentioned.getModule().getName());
                    boolean exported = home == null || isExported(descriptors.get(home), mentioned);
                    if (!exported || !readable.contains(module)) {
                        wrong.add(type.getName() + " mentions " + mentioned.getName() + " of " + module);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static boolean isExported(ModuleDescriptor module, Class<?> type) {
        return module.exports().stream()
                .anyMatch(each -> !each.isQualified() && each.source().equals(type.getPackageName()));
    }

    private static Map<String, ModuleDescriptor> descriptors() {
        return ModuleFinder.of(JARS.values().toArray(Path[]::new)).findAll().stream()
                .collect(Collectors.toMap(
                        each -> each.descriptor().name(), each -> each.descriptor(), (a, _) -> a, LinkedHashMap::new));
    }

    /** What reads a module reads these, too. */
    private static Set<String> readable(String module, Map<String, ModuleDescriptor> ours) {
        Set<String> readable = new LinkedHashSet<>(Set.of("java.base", module));
        ModuleDescriptor descriptor = ours.containsKey(module)
                ? ours.get(module)
                : ModuleFinder.ofSystem().find(module).orElseThrow().descriptor();
        for (ModuleDescriptor.Requires each : descriptor.requires()) {
            if (each.modifiers().contains(ModuleDescriptor.Requires.Modifier.TRANSITIVE)) {
                readable.addAll(readable(each.name(), ours));
            }
        }
        return readable;
    }

    private static List<Class<?>> exportedTypes(Path jar, ModuleDescriptor descriptor) throws Exception {
        List<Class<?>> types = new ArrayList<>();
        try (FileSystem files = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
            for (ModuleDescriptor.Exports exports : descriptor.exports()) {
                if (exports.isQualified()) {
                    continue;
                }
                try (Stream<Path> inside =
                        Files.list(files.getPath("/", exports.source().replace('.', '/')))) {
                    for (Path file : inside.toList()) {
                        String name = file.getFileName().toString();
                        if (name.endsWith(".class") && !name.equals("package-info.class")) {
                            Class<?> type = Class.forName(
                                    exports.source() + "." + name.replaceFirst("\\.class$", ""),
                                    false,
                                    ConsumerTest.class.getClassLoader());
                            if (Mentioned.isPublic(type)) {
                                types.add(type);
                            }
                        }
                    }
                }
            }
        }
        assertThat(types).isNotEmpty();
        return types;
    }
}
