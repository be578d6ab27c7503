// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.awt.Color;
import java.awt.Font;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.CategoryStyler;

/** What kernels achieved as a picture: a bar for each rate, in its own unit, over a logarithmic axis. */
public final class PrkPicture {
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 720;

    private PrkPicture() {}

    /**
     * Writes a PNG file.
     *
     * @param where it was measured, for the title
     * @throws IllegalArgumentException if no kernel has a rate
     * @throws IOException if the file cannot be written
     */
    public static void write(Path file, String where, List<Prk.Outcome> outcomes) throws IOException {
        List<String> names = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (Prk.Outcome outcome : outcomes) {
            if (outcome.isRight()) {
                for (Rate rate : outcome.rates()) {
                    names.add(outcome.kernel().name() + ", " + rate.unit() + ": " + PrkTable.number(rate.value()));
                    values.add(rate.value());
                }
            }
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException("there is nothing to draw: no kernel has a rate");
        }
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("Parallel Research Kernels (" + where + ")")
                .xAxisTitle("")
                .yAxisTitle("rate, in the unit below the bar")
                .build();
        style(chart.getStyler());
        double least = values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(least))));
        chart.addSeries("rate", names, values);
        BufferedImage image = BitmapEncoder.getBufferedImage(chart);
        try (OutputStream out = Files.newOutputStream(file)) {
            ImageIO.write(image, "png", out);
        }
    }

    private static void style(CategoryStyler styler) {
        styler.setYAxisLogarithmic(true);
        styler.setLegendVisible(false);
        // Each ends below its bar.
        styler.setXAxisLabelRotation(40);
        styler.setXAxisLabelAlignment(AxesChartStyler.TextAlignment.Right);
        styler.setXAxisLabelAlignmentVertical(AxesChartStyler.TextAlignment.Right);
        styler.setAvailableSpaceFill(0.7);
        styler.setSeriesColors(new Color[] {new Color(0x0072B2)});
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBackgroundColor(Color.WHITE);
        styler.setPlotGridVerticalLinesVisible(false);
        styler.setChartTitleBoxVisible(false);
        styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
        styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        styler.setYAxisTickLabelsFormattingFunction(PrkTable::number);
    }
}
