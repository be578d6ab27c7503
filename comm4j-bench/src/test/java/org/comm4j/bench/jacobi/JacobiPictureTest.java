// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JacobiPictureTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void normsAreSeen(int count, @TempDir Path folder) throws Exception {
        Path file = folder.resolve("a.png");
        double[] norms =
                IntStream.range(0, count).mapToDouble(i -> 5.0 / (i + 1)).toArray();
        JacobiPicture.write(file, "a title", new float[2][2], norms, 10);
        BufferedImage image = ImageIO.read(file.toFile());
        // Right of the grid, whose colours end with the legend, only the curve is not grey.
        assertThat(IntStream.range(image.getWidth() * 11 / 20, image.getWidth())
                        .flatMap(x -> IntStream.range(0, image.getHeight()).map(y -> image.getRGB(x, y)))
                        .mapToObj(Color::new))
                .anyMatch(color -> color.getBlue() > color.getRed() + 50);
    }
}
