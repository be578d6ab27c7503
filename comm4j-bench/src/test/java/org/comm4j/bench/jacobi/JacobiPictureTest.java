// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JacobiPictureTest {
    private static BufferedImage picture(Path file, int norms, int normEvery) throws IOException {
        JacobiPicture.write(
                file,
                "a title",
                new float[2][2],
                IntStream.range(0, norms).mapToDouble(i -> 5.0 / (i + 1)).toArray(),
                normEvery);
        return ImageIO.read(file.toFile());
    }

    /** The numbers below the curve do not run into each other. */
    @ParameterizedTest
    @CsvSource({"100,10", "1000,1", "1000,100", "64,1", "12345,1"})
    void labelsAreApart(int count, int normEvery, @TempDir Path folder) throws Exception {
        BufferedImage image = picture(folder.resolve("a.png"), count, normEvery);
        int label = 0;
        int widest = 0;
        int gap = 0;
        for (int x = image.getWidth() * 11 / 20; x < image.getWidth(); x++) {
            int column = x;
            boolean ink = IntStream.range(image.getHeight() - 40, image.getHeight() - 25)
                    .anyMatch(y -> new Color(image.getRGB(column, y)).getRed() < 100);
            gap = ink ? 0 : gap + 1;
            label = gap < 10 ? label + 1 : 0;
            widest = Math.max(widest, label);
        }
        assertThat(widest).isBetween(10, 80);
    }

    @Test
    void aLinkStaysALink(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("a.png");
        Path link = Files.createSymbolicLink(folder.resolve("link.png"), file);
        assertThat(picture(link, 10, 1)).isNotNull();
        assertThat(link).isSymbolicLink();
        assertThat(file).isNotEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void normsAreSeen(int count, @TempDir Path folder) throws Exception {
        BufferedImage image = picture(folder.resolve("a.png"), count, 10);
        // Right of the grid, whose colours end with the legend, only the curve is not grey.
        assertThat(IntStream.range(image.getWidth() * 11 / 20, image.getWidth())
                        .flatMap(x -> IntStream.range(0, image.getHeight()).map(y -> image.getRGB(x, y)))
                        .mapToObj(Color::new))
                .anyMatch(color -> color.getBlue() > color.getRed() + 50);
    }
}
