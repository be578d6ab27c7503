// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.comm4j.bench.LogRange;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws a solution and its convergence side by side. */
public final class JacobiPicture {
    private static final int SIDE = 700;
    private static final int MARGIN = 60;
    private static final int HEIGHT = SIDE + 2 * MARGIN;
    private static final int LEGEND = 110;

    private JacobiPicture() {}

    /**
     * Collective: rank 0 gets about {@value #SIDE} × {@value #SIDE} samples of the grid, in rows from the top; the
     * others null.
     */
    public static float @Nullable [][] samples(HostRanks ranks, Slab slab) {
        JacobiProblem problem = slab.problem();
        int step = Math.max(1, problem.rows() / SIDE);
        float[][] rows = ranks.rank() == 0 ? new float[Math.ceilDiv(problem.rows(), step)][] : null;
        Jacobi.collectRows(ranks, slab, step, (row, values) -> {
            if (rows != null) {
                rows[(row - 1) / step] = sampled(values);
            }
        });
        return rows;
    }

    /** The same of a grid in the memory of GPUs. */
    public static float @Nullable [][] samples(World world, GpuJacobi.Result result) {
        JacobiProblem problem = result.slab().problem();
        int step = Math.max(1, problem.rows() / SIDE);
        float[][] rows = result.slab().ranks().rank() == 0 ? new float[Math.ceilDiv(problem.rows(), step)][] : null;
        GpuJacobi.collectRows(world, result, step, (row, count, values, pitch) -> {
            if (rows != null) {
                for (int y = 0; y < count; y++) {
                    float[] all = values.slice((long) y * pitch, problem.nx()).toFloatArray();
                    rows[(row - 1) / step + y] = sampled(all);
                }
            }
        });
        return rows;
    }

    private static float[] sampled(float[] row) {
        int width = Math.min(row.length, SIDE);
        float[] some = new float[width];
        for (int x = 0; x < width; x++) {
            some[x] = row[(int) ((long) x * (row.length - 1) / Math.max(1, width - 1))];
        }
        return some;
    }

    /**
     * Writes a PNG file.
     *
     * @param samples the grid, as {@link #samples} gives it
     * @param norms the norm of every {@code normEvery}-th iteration
     * @throws IOException if the file cannot be written; the message names it
     */
    public static void write(Path file, String title, float[][] samples, double[] norms, int normEvery)
            throws IOException {
        BufferedImage image =
                new BufferedImage(MARGIN + SIDE + LEGEND + SIDE + MARGIN, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        drawSolution(graphics, title, samples);
        graphics.drawImage(chart(norms, normEvery), MARGIN + SIDE + LEGEND, 0, null);
        graphics.dispose();
        // As a stream: ImageIO deletes what has the name of a file, be it a link or a device.
        try (OutputStream out = Files.newOutputStream(file)) {
            ImageIO.write(image, "png", out);
        } catch (IOException e) {
            throw new IOException("cannot write the picture to " + file + ": " + e.getMessage(), e);
        }
    }

    private static void drawSolution(Graphics2D graphics, String title, float[][] samples) {
        BufferedImage field = new BufferedImage(samples[0].length, samples.length, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < samples.length; y++) {
            for (int x = 0; x < samples[y].length; x++) {
                field.setRGB(x, y, colour(samples[y][x]).getRGB());
            }
        }
        graphics.drawImage(field, MARGIN, MARGIN, SIDE, SIDE, null);
        graphics.setColor(Color.DARK_GRAY);
        graphics.setStroke(new BasicStroke(1));
        graphics.drawRect(MARGIN, MARGIN, SIDE, SIDE);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
        graphics.drawString(title, MARGIN, MARGIN - 20);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        int left = MARGIN + SIDE + 20;
        for (int y = 0; y < SIDE; y++) {
            graphics.setColor(colour(1 - 2f * y / (SIDE - 1)));
            graphics.drawLine(left, MARGIN + y, left + 18, MARGIN + y);
        }
        graphics.setColor(Color.DARK_GRAY);
        graphics.drawRect(left, MARGIN, 18, SIDE);
        for (int tick = 0; tick <= 4; tick++) {
            graphics.drawString(
                    tick == 2 ? "0" : String.format(Locale.ROOT, "%+.1f", 1 - tick / 2.0),
                    left + 24,
                    MARGIN + 5 + tick * SIDE / 4);
        }
    }

    /** Blue for −1, white for 0, red for 1. */
    private static Color colour(float value) {
        if (Float.isNaN(value)) {
            return Color.BLACK;
        }
        // The square root makes the weak interior visible beside the strong boundary.
        float strength = (float) Math.sqrt(Math.min(1, Math.abs(value)));
        int faded = Math.round(255 * (1 - 0.85f * strength));
        int own = Math.round(255 * (1 - 0.25f * strength));
        return value < 0 ? new Color(faded, faded, own) : new Color(own, faded, faded);
    }

    private static BufferedImage chart(double[] norms, int normEvery) {
        XYChart chart = new XYChartBuilder()
                .width(SIDE + MARGIN)
                .height(HEIGHT)
                .title("Convergence")
                .xAxisTitle("iteration")
                .yAxisTitle("L2 norm of the change")
                .build();
        chart.getStyler().setLegendVisible(false);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        if (Arrays.stream(norms).allMatch(norm -> norm > 0)) {
            LogRange range = LogRange.of(Arrays.stream(norms));
            chart.getStyler().setYAxisLogarithmic(true);
            chart.getStyler().setYAxisMin(range.least());
            chart.getStyler().setYAxisMax(range.most());
        }
        double[] iterations = new double[norms.length];
        Arrays.setAll(iterations, i -> (double) i * normEvery);
        // Values that are equally spaced become labels themselves, as many as touch each other; these are not quite,
        // and get round numbers.
        iterations[norms.length - 1] += 1e-3;
        chart.getStyler().setXAxisTickMarkSpacingHint(100);
        // A single norm has no line.
        chart.addSeries("norm", iterations, norms)
                .setMarker(norms.length == 1 ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
        return BitmapEncoder.getBufferedImage(chart);
    }
}
