// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.ffi.DynamicLoader.LoadException;
import org.comm4j.ffi.NativeLibrary.Place;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where libraries are looked for, in which order, and what is said: in made-up file trees, with a loader that loads
 * nothing.
 */
class LocatorTest {
    @TempDir
    Path root;

    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();
    /** Names that the loader finds by itself. */
    private final List<String> onLoaderPath = new ArrayList<>();
    /** Files that are no libraries. */
    private final List<Path> broken = new ArrayList<>();

    private Path home;

    @BeforeEach
    void links() throws IOException {
        root = root.toRealPath();
        home = root.resolve("home/ann");
        variables.put("PATH", root.resolve("usr/bin").toString());
    }

    private Path file(String path) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "");
    }

    /** The C library's symbols stand for those of the one that is looked for: no version function is among them. */
    private MemorySegment load(String name) throws LoadException {
        if (name.contains("/") ? broken.contains(Path.of(name)) : !onLoaderPath.contains(name)) {
            throw new LoadException(name + ": cannot be opened");
        }
        return DynamicLoader.load("libc.so.6");
    }

    private NativeLibrary locate(LibraryName name) {
        Surroundings surroundings = new Surroundings(
                key -> properties.getOrDefault(key, ""),
                key -> variables.getOrDefault(key, ""),
                home.toString(),
                root,
                this::load);
        return new Locator(name, surroundings).locate();
    }

    private static Place last(NativeLibrary library) {
        return library.places().getLast();
    }

    @Test
    void inOrder() throws IOException {
        Path property = file("given/libnccl.so.2");
        Path home1 = file("nccl/lib/libnccl.so.2");
        Path toolkit = file("cuda/lib64/libnccl.so.2");
        Path environment = file("venv/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl.so.2");
        Path python = file("usr/bin/python3");
        Files.writeString(python, "ELF");
        assertThat(python.toFile().setExecutable(true)).isTrue();
        Path system = file("usr/lib/python3/dist-packages/nvidia/nccl/lib/libnccl.so.2");
        Path user = file("home/ann/.local/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl.so.2");
        onLoaderPath.add("libnccl.so.2");
        properties.put("org.comm4j.nccl.library", root.resolve("given").toString());
        variables.put("NCCL_HOME", root.resolve("nccl").toString());
        variables.put("CUDA_HOME", root.resolve("cuda").toString());
        variables.put("VIRTUAL_ENV", root.resolve("venv").toString());

        for (Path expected : List.of(property, home1, toolkit, environment, system, user)) {
            assertThat(locate(LibraryName.NCCL).file()).isEqualTo(expected);
            properties.clear();
            Files.delete(expected);
        }
        NativeLibrary byLoader = locate(LibraryName.NCCL);
        assertThat(byLoader.isPresent()).isTrue();
        assertThat(last(byLoader).where())
                .isEqualTo("the loader's path (LD_LIBRARY_PATH and the system's folders), libnccl.so.2");
        onLoaderPath.clear();
        assertThat(locate(LibraryName.NCCL).isPresent()).isFalse();
    }

    @Test
    void whatTheUserNamesIsTakenOrNothing() throws IOException {
        onLoaderPath.add("libnccl.so.2");
        Path file = file("lib/my-nccl.so");
        properties.put("org.comm4j.nccl.library", file.toString());
        assertThat(locate(LibraryName.NCCL).file()).isEqualTo(file);

        Files.delete(file);
        NativeLibrary absent = locate(LibraryName.NCCL);
        assertThat(absent.isPresent()).isFalse();
        assertThat(absent.places())
                .containsExactly(new Place("system property org.comm4j.nccl.library=" + file, "does not exist"));
    }

    @Test
    void aFileThatCannotBeLoadedIsNamedAndPassedOver() throws IOException {
        broken.add(file("nccl/lib/libnccl.so.2"));
        variables.put("NCCL_HOME", root.resolve("nccl").toString());
        onLoaderPath.add("libnccl.so.2");
        NativeLibrary library = locate(LibraryName.NCCL);
        assertThat(library.isPresent()).isTrue();
        assertThat(library.places())
                .contains(new Place(
                        "NCCL_HOME=" + root.resolve("nccl"),
                        "cannot load " + root.resolve("nccl/lib/libnccl.so.2") + ": cannot be opened"));
    }

    @Test
    void theNewestSonameOfAFolder() throws IOException {
        file("cuda/lib64/libnvrtc.so.12");
        file("cuda/lib64/libnvrtc-builtins.so.13.5");
        Path newest = file("cuda/lib64/libnvrtc.so.13");
        variables.put("CUDA_PATH", root.resolve("cuda").toString());
        assertThat(locate(LibraryName.NVRTC).file()).isEqualTo(newest);
    }

    @Test
    void aFileWithAFullVersionOnly() throws IOException {
        Path file = file("nccl/libnccl.so.2.28.9");
        variables.put("NCCL_HOME", root.resolve("nccl").toString());
        assertThat(locate(LibraryName.NCCL).file()).isEqualTo(file);
    }

    @Test
    void libNvvmHasFoldersOfItsOwn() throws IOException {
        Path toolkit = file("cuda/nvvm/lib64/libnvvm.so.4");
        variables.put("CUDA_HOME", root.resolve("cuda").toString());
        assertThat(locate(LibraryName.NVVM).file()).isEqualTo(toolkit);
        Files.delete(toolkit);
        Path wheel = file("venv/lib/python3.11/site-packages/nvidia/cuda_nvcc/nvvm/lib64/libnvvm.so.4");
        variables.put("VIRTUAL_ENV", root.resolve("venv").toString());
        assertThat(locate(LibraryName.NVVM).file()).isEqualTo(wheel);
    }

    @Test
    void nvshmemByItsVariableOrInItsWheel() throws IOException {
        Path home1 = file("nvshmem/lib/libnvshmem_host.so.3");
        Path toolkit = file("cuda/lib64/libnvshmem_host.so.3");
        Path wheel = file("venv/lib/python3.12/site-packages/nvidia/nvshmem/lib/libnvshmem_host.so.3");
        variables.put("NVSHMEM_HOME", root.resolve("nvshmem").toString());
        variables.put("CUDA_HOME", root.resolve("cuda").toString());
        variables.put("VIRTUAL_ENV", root.resolve("venv").toString());
        for (Path expected : List.of(home1, toolkit, wheel)) {
            assertThat(locate(LibraryName.NVSHMEM).file()).isEqualTo(expected);
            Files.delete(expected);
        }
        assertThat(locate(LibraryName.NVSHMEM).problem())
                .isEqualTo("no NVSHMEM: libnvshmem_host.so.3 not found. Install it with \"pip install"
                        + " nvidia-nvshmem-cu13\", or set NVSHMEM_HOME to its folder.");
    }

    @Test
    void aPythonBehindAScriptIsAsked() throws IOException {
        Path site = root.resolve("versions/3.13/site-packages");
        Path wheel = file("versions/3.13/site-packages/nvidia/nccl/lib/libnccl.so.2");
        Path shim = file("usr/bin/python3");
        Files.writeString(shim, "#!/bin/sh\necho " + site + "\n");
        assertThat(shim.toFile().setExecutable(true)).isTrue();
        assertThat(locate(LibraryName.NCCL).file()).isEqualTo(wheel);
    }

    @Test
    void theDriverIsNotLookedForInWheels() throws IOException {
        file("venv/lib/python3.12/site-packages/nvidia/cuda/lib/libcuda.so.1");
        variables.put("VIRTUAL_ENV", root.resolve("venv").toString());
        assertThat(locate(LibraryName.CUDA).isPresent()).isFalse();
        Path container = file("usr/local/nvidia/lib64/libcuda.so.1");
        assertThat(locate(LibraryName.CUDA).file()).isEqualTo(container);
    }

    @Test
    void whatANewcomerReadsWhenThereIsNoLibrary() throws IOException {
        Files.createDirectories(root.resolve("venv/lib/python3.12/site-packages"));
        variables.put("VIRTUAL_ENV", root.resolve("venv").toString());
        NativeLibrary library = locate(LibraryName.NCCL);
        assertThat(library.problem())
                .isEqualTo("no NCCL: libnccl.so.2 not found. Install it with \"pip install nvidia-nccl-cu13\" or as the"
                        + " package libnccl2, or set NCCL_HOME to its folder.");
        assertThatThrownBy(() -> library.function("ncclGetVersion").address())
                .isInstanceOf(LibraryNotFoundException.class)
                .hasMessage(String.join(
                        "\n  ",
                        "ncclGetVersion cannot be called: " + library.problem() + " Looked at:",
                        "system property org.comm4j.nccl.library: not set",
                        "NCCL_HOME: not set",
                        "CUDA_HOME: not set",
                        "CUDA_PATH: not set",
                        "CONDA_PREFIX: not set",
                        "VIRTUAL_ENV=" + root.resolve("venv") + ": no wheel with it in "
                                + root.resolve("venv/lib/python3.12/site-packages"),
                        "wheels of python3: no python3 on the PATH",
                        "wheels of the user: no site-packages",
                        "the loader's path (LD_LIBRARY_PATH and the system's folders), libnccl.so.2:"
                                + " libnccl.so.2: cannot be opened"));
    }

    @Test
    void aBrokenFileIsTheProblem() throws IOException {
        Path file = file("given/libnccl.so.2");
        broken.add(file);
        properties.put("org.comm4j.nccl.library", file.toString());
        assertThat(locate(LibraryName.NCCL).problem())
                .isEqualTo("no NCCL: cannot load " + file + ": cannot be opened. " + LibraryName.NCCL.advice());
    }

    @Test
    void aFileIsTheOneInThisFolderNotTheLoaders() {
        properties.put("org.comm4j.nccl.library", "pom.xml");
        assertThat(locate(LibraryName.NCCL).file()).isEqualTo(Path.of("pom.xml").toAbsolutePath());
    }

    @Test
    void whatTheLoaderFoundIsNamedByItsFile() {
        onLoaderPath.add("libcuda.so.1");
        Path file = locate(LibraryName.CUDA).file();
        assertThat(file).isAbsolute().isRegularFile();
        assertThat(String.valueOf(file)).contains("libc.so");
    }

    @Test
    void aVirtualEnvironmentOnThePathOnly() throws IOException {
        Path wheel = file("venv/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl.so.2");
        Path python = file("usr/bin/python3.12");
        Files.writeString(python, "ELF");
        assertThat(python.toFile().setExecutable(true)).isTrue();
        Files.createDirectories(root.resolve("venv/bin"));
        Files.createSymbolicLink(root.resolve("venv/bin/python3"), python);
        variables.put("PATH", root.resolve("venv/bin").toString());
        assertThat(locate(LibraryName.NCCL).file()).isEqualTo(wheel);
    }

    @Test
    void aTextThatIsNoPathIsToldAndPassedOver() throws IOException {
        Path shim = file("usr/bin/python3");
        Files.writeString(shim, "#!/bin/sh\nprintf 'a\\0b\\n'\n");
        assertThat(shim.toFile().setExecutable(true)).isTrue();
        variables.put("NCCL_HOME", "a\0b");
        variables.put("VIRTUAL_ENV", "a\0b");
        variables.put("PATH", "a\0b:" + variables.get("PATH"));
        onLoaderPath.add("libnccl.so.2");
        NativeLibrary library = locate(LibraryName.NCCL);
        assertThat(library.isPresent()).isTrue();
        assertThat(library.places())
                .contains(new Place(
                        "NCCL_HOME=a\0b",
                        "not a path in this process' encoding, " + System.getProperty("sun.jnu.encoding")));
        properties.put("org.comm4j.nccl.library", "a\0b");
        assertThat(locate(LibraryName.NCCL).isPresent()).isFalse();
    }

    @Test
    void aScriptIsAskedOnceAndAlsoByAnInterruptedThread() throws IOException {
        Path site = root.resolve("versions/3.13/site-packages");
        Path nccl = file("versions/3.13/site-packages/nvidia/nccl/lib/libnccl.so.2");
        Path nvrtc = file("versions/3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
        Path shim = file("usr/bin/python3");
        Path asked = root.resolve("asked");
        Files.writeString(shim, "#!/bin/sh\necho >>" + asked + "\necho " + site + "\n");
        assertThat(shim.toFile().setExecutable(true)).isTrue();
        Thread.currentThread().interrupt();
        Path first = locate(LibraryName.NCCL).file();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(first).isEqualTo(nccl);
        assertThat(locate(LibraryName.NVRTC).file()).isEqualTo(nvrtc);
        assertThat(Files.readAllLines(asked)).hasSize(1);
    }

    @Test
    void theNewestPythonAndTheNewestLibraryInItsWheels() throws IOException {
        file("home/ann/.local/lib/python3.9/site-packages/nvidia/nvjitlink/lib/libnvJitLink.so.12");
        file("home/ann/.local/lib/python3.12/site-packages/nvidia/nvjitlink/lib/libnvJitLink.so.12");
        Path newest = file("home/ann/.local/lib/python3.12/site-packages/nvidia/cu13/lib/libnvJitLink.so.13");
        assertThat(locate(LibraryName.NVJITLINK).file()).isEqualTo(newest);
        file("home/ann/.local/lib/python3.9/site-packages/nvidia/nccl/lib/libnccl.so.2");
        Path nccl = file("home/ann/.local/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl.so.2");
        assertThat(locate(LibraryName.NCCL).file()).isEqualTo(nccl);
    }

    @Test
    void foldersThatAreNotThereOrCannotBeRead() throws IOException {
        variables.put("NCCL_HOME", root.resolve("nowhere").toString());
        Path loop = root.resolve("cuda/lib");
        Files.createDirectories(root.resolve("cuda"));
        Files.createSymbolicLink(loop, loop);
        variables.put("CUDA_HOME", root.resolve("cuda").toString());
        assertThat(locate(LibraryName.NCCL).places())
                .contains(
                        new Place("NCCL_HOME=" + root.resolve("nowhere"), "does not exist"),
                        new Place(
                                "CUDA_HOME=" + root.resolve("cuda"),
                                "no libnccl.so.2 there, nor in its lib folders; cannot be read: " + loop));
    }

    @Test
    void aVersionOfAStandardIsSaidToBeOne() {
        assertThat(LibraryName.MPI.described("3.1")).isEqualTo("3.1 of the standard");
        assertThat(LibraryName.OPENSHMEM.described("1.4")).isEqualTo("1.4 of the standard");
        assertThat(LibraryName.NCCL.described("2.32.3")).isEqualTo("2.32.3");
    }
}
