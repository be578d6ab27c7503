// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.comm4j.core.spi.Bootstrap;
import org.jspecify.annotations.Nullable;

/** Brings processes together by files in the folder that {@code COMM4J_TEST_BOOTSTRAP} names: "rank size folder". */
public final class FolderBootstrap implements Bootstrap {
    static final String VARIABLE = "COMM4J_TEST_BOOTSTRAP";

    public FolderBootstrap() {}

    @Override
    public String name() {
        return "folder";
    }

    @Override
    public @Nullable String problem(Map<String, String> environment) {
        return environment.containsKey(VARIABLE) ? null : VARIABLE + " is not set";
    }

    @Override
    public Group meet(Map<String, String> environment, Duration patience) {
        String[] words = environment.getOrDefault(VARIABLE, "").split(" ", 3);
        return new FolderGroup(Integer.parseInt(words[0]), Integer.parseInt(words[1]), Path.of(words[2]));
    }

    private record FolderGroup(int rank, int size, Path folder) implements Group {
        @Override
        public List<byte[]> exchange(byte[] mine) {
            try {
                Path fresh = folder.resolve("new." + rank);
                Files.write(fresh, mine);
                Files.move(fresh, folder.resolve("rank." + rank), StandardCopyOption.ATOMIC_MOVE);
                List<byte[]> all = new ArrayList<>();
                while (all.size() < size) {
                    Path next = folder.resolve("rank." + all.size());
                    if (Files.exists(next)) {
                        all.add(Files.readAllBytes(next));
                    } else {
                        Thread.sleep(5);
                    }
                }
                return all;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts it", e);
            }
        }

        @Override
        public String description() {
            return "files in " + folder;
        }

        @Override
        public void leaving(World world) {
            System.out.println("leaving " + world.rank() + ", " + world.failedRanks());
        }
    }
}
