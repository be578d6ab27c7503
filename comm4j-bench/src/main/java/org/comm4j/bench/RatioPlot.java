// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** A comparison as a picture: how many times faster B is, over size, a curve for each operation. */
final class RatioPlot {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 620;

    private RatioPlot() {}

    /**
     * Writes a PNG file.
     *
     * @throws IllegalArgumentException if there is no row with a size and a ratio
     * @throws IOException if the file cannot be written
     */
    static void write(Path file, List<RatioTable.Entry> entries) throws IOException {
        Map<String, List<RatioTable.Entry>> curves = new LinkedHashMap<>();
        for (RatioTable.Entry entry : entries) {
            double ratio = entry.ratio();
            if (entry.key().size() > 0 && ratio > 0 && ratio < Double.POSITIVE_INFINITY) {
                curves.computeIfAbsent(name(entry.key()), _ -> new ArrayList<>())
                        .add(entry);
            }
        }
        if (curves.isEmpty()) {
            throw new IllegalArgumentException("there is nothing to draw: no row has a size and two times");
        }
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("Time of A divided by that of B: above 1, B is faster")
                .xAxisTitle("size")
                .yAxisTitle("A / B")
                .build();
        Plot.style(chart.getStyler());
        chart.getStyler().setYAxisLogarithmic(false);
        chart.getStyler().setYAxisTickLabelsFormattingFunction(ratio -> "%.2f".formatted(ratio));
        int number = 0;
        for (Map.Entry<String, List<RatioTable.Entry>> each : curves.entrySet()) {
            Plot.Curve curve = new Plot.Curve();
            each.getValue().forEach(entry -> curve.add(entry.key().size(), entry.ratio()));
            Plot.draw(chart, each.getKey(), curve, number++);
        }
        BufferedImage image = BitmapEncoder.getBufferedImage(chart);
        try (OutputStream out = Files.newOutputStream(file)) {
            ImageIO.write(image, "png", out);
        }
    }

    private static String name(Results.Key key) {
        return key.operation() + " " + key.type() + (key.reduction() == null ? "" : " " + key.reduction())
                + (key.root() == null ? "" : " root " + key.root());
    }
}
