// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where CUDA's headers are looked for. */
class CudaHeadersTest {
    @TempDir
    Path root;

    private Path headers(String folder) throws IOException {
        Path made = Files.createDirectories(root.resolve(folder));
        Files.writeString(made.resolve("cuda_runtime.h"), "");
        return made;
    }

    private List<Path> find(Map<String, String> variables) {
        return CudaHeaders.find(null, List.of(), name -> variables.getOrDefault(name, ""), root);
    }

    @Test
    void aToolkitWithCcclInAFolderOfItsOwn() throws IOException {
        Path include = headers("usr/local/cuda/include");
        assertThat(find(Map.of())).containsExactly(include);
        Files.createDirectories(include.resolve("cccl"));
        assertThat(find(Map.of())).containsExactly(include, include.resolve("cccl"));
    }

    @Test
    void theVariableComesBeforeTheUsualPlace() throws IOException {
        headers("usr/local/cuda/include");
        Path own = headers("own/include");
        assertThat(find(Map.of("CUDA_HOME", root.resolve("own").toString()))).containsExactly(own);
    }

    @Test
    void wheelsOfAPythonEnvironment() throws IOException {
        Path wheels = headers("venv/lib/python3.12/site-packages/nvidia/cu13/include");
        assertThat(find(Map.of("VIRTUAL_ENV", root.resolve("venv").toString()))).containsExactly(wheels);
    }

    @Test
    void foldersThatAreNamedNeedNothingElse() throws IOException {
        assertThat(CudaHeaders.find(null, List.of(headers("mine")), _ -> "", root))
                .isEmpty();
    }

    @Test
    void nothingFoundNamesThePlacesAndTheRemedy() {
        Path given = root.resolve("given");
        assertThatThrownBy(() -> CudaHeaders.find(given, List.of(), _ -> "", root))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("looked in " + given.resolve("include") + ", " + given + ";")
                .hasMessageContaining("--cuda says where")
                .hasMessageContaining("pip install nvidia-cuda-runtime");
    }
}
