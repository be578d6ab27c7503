// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PictureTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void withoutAScreen() {
        System.setProperty("java.awt.headless", "true");
    }

    private BufferedImage drawn(List<Section> sections, double... costs) throws IOException {
        Path file = folder.resolve("a.png");
        Picture.write(file, "Title", sections, "residual by data", costs);
        return ImageIO.read(file.toFile());
    }

    /** Two columns of three samples, whose colours are found at their places. */
    @Test
    void samplesAreWhereTheyBelong() throws IOException {
        Axis axis = new Axis("axis", 0, 1);
        double[] values = {0, 1, 2, 3, 4, 4};
        Section section = Section.impedance("Model", "impedance", 2, values, axis, axis, Section.limits(values));
        BufferedImage image = drawn(List.of(section), 1, 0.1, 0.01);
        assertThat(image.getWidth()).isEqualTo(2 * Picture.PANEL);
        assertThat(image.getHeight()).isEqualTo(Picture.PICTURE_HEIGHT);
        for (int i = 0; i < 6; i++) {
            int x = 66 + 330 * (i / 3) / 2 + 80;
            int y = 84 + 400 * (i % 3) / 3 + 60;
            assertThat(new Color(image.getRGB(x, y)))
                    .as("value %d", i)
                    .isEqualTo(new Color(ColourMap.SEQUENTIAL.colour(values[i] / 4)));
        }
    }

    @Test
    void theConvergenceIsALineFromTopToBottom() throws IOException {
        BufferedImage image = drawn(List.of(), 1, 0.1, 0.01);
        assertThat(image.getWidth()).isEqualTo(Picture.PANEL);
        for (int quarter = 1; quarter <= 3; quarter++) {
            Color colour = new Color(image.getRGB(66 + 330 * quarter / 4, 84 + 100 * quarter));
            assertThat(colour.getBlue() - colour.getRed()).as("at %d", quarter).isGreaterThan(100);
        }
    }

    /** Nothing, not a number, equal values and one iteration can be drawn, too. */
    @Test
    void whatIsDegenerate() throws IOException {
        Axis axis = new Axis("axis", 0, 0);
        Section constant = Section.amplitudes("a", 1, new double[] {0, 0}, axis, axis, ColourMap.GREY);
        Section nothing = Section.amplitudes("b", 0, new double[0], axis, axis, ColourMap.GREY);
        Section strange =
                Section.impedance("c", "q", 1, new double[] {Double.NaN, 5}, axis, axis, Section.limits(5, 5));
        assertThat(drawn(List.of(constant, nothing, strange), 0).getWidth()).isEqualTo(4 * Picture.PANEL);
        assertThat(drawn(List.of(constant), Double.NaN, 1e-300).getWidth()).isEqualTo(2 * Picture.PANEL);
        assertThat(drawn(List.of()).getWidth()).isEqualTo(Picture.PANEL);
    }

    @Test
    void ticksAreRound() {
        assertThat(new Axis("t", 0, 0.8).ticks(6)).hasSize(9);
        Axis deep = new Axis("z", 0, 790);
        assertThat(deep.ticks(6)).containsExactly(0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0, 700.0);
        assertThat(deep.text(700, 6)).isEqualTo("700");
        Axis small = new Axis("a", -0.13, 0.13);
        assertThat(small.ticks(6).stream().map(tick -> small.text(tick, 6)))
                .containsExactly("-0.10", "-0.05", "0.00", "0.05", "0.10");
        assertThat(new Axis("a", 1, 1).ticks(6)).isEmpty();
    }

    @Test
    void aFileThatCannotBeWritten() {
        assertThatThrownBy(() -> Picture.write(folder.resolve("no/a.png"), "", List.of(), "", 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no/a.png");
    }
}
