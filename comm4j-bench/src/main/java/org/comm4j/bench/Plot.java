// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Results as a picture: time and bandwidth over size, both axes logarithmic. */
public final class Plot {
    private static final int WIDTH = 780;
    /** Room beside the right chart. */
    private static final int LEGEND = 220;
    /** With more curves than this, those of calls in place are left out. */
    private static final int FEW = 4;

    /** Unless the legend needs more. */
    private static final int HEIGHT = 620;

    private static final int LEGEND_LINE = 22;
    private static final Color GRID = new Color(225, 225, 225);
    private static final Color COPY = new Color(110, 110, 110);
    /** Distinct for most kinds of colour vision (Okabe and Ito). */
    private static final List<Color> COLORS = List.of(
            new Color(0x0072B2),
            new Color(0xD55E00),
            new Color(0x009E73),
            new Color(0xCC79A7),
            new Color(0xE69F00),
            new Color(0x56B4E9),
            new Color(0x882255),
            new Color(0x999933),
            new Color(0x332288),
            new Color(0x44AA99),
            new Color(0xAA4499));
    /** Of curves with the same colour, each has another one. */
    private static final List<Marker> MARKERS = List.of(
            SeriesMarkers.CIRCLE,
            SeriesMarkers.SQUARE,
            SeriesMarkers.TRIANGLE_UP,
            SeriesMarkers.CROSS,
            SeriesMarkers.DIAMOND,
            SeriesMarkers.TRIANGLE_DOWN,
            SeriesMarkers.PLUS,
            SeriesMarkers.OVAL,
            SeriesMarkers.RECTANGLE,
            SeriesMarkers.TRAPEZOID);

    private Plot() {}

    /** Points of one colour: x is the binary logarithm of the size. */
    record Curve(List<Double> x, List<Double> y) {
        Curve() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        void add(long bytes, double value) {
            if (bytes > 0 && value > 0) {
                x.add(Math.log((double) bytes) / Math.log(2));
                y.add(value);
            }
        }
    }

    /**
     * Whether there is anything to draw: an operation that was measured at a size above 0.
     */
    public static boolean canDraw(List<Row> rows) {
        return rows.stream().anyMatch(row -> row.operation().hasSizes() && row.bytes() > 0);
    }

    /**
     * Writes a PNG file.
     *
     * @throws IllegalArgumentException if there is nothing to draw
     * @throws IOException if the file cannot be written
     */
    public static void write(Path file, Platform platform, List<Row> rows) throws IOException {
        if (!canDraw(rows)) {
            throw new IllegalArgumentException(
                    "there is nothing to draw: latency and barrier have one size only, other operations were not"
                            + " measured");
        }
        String where = platform.ranks() + (platform.ranks() == 1 ? " rank" : " ranks") + ", engine " + platform.engine()
                + ", " + platform.hardware();
        XYChart time = chart("Time of one call", where, "time (µs)", rows, row -> row.micros(), false);
        // What one rank does crosses no bus: that bandwidth would be 0.
        boolean bus = platform.ranks() > 1;
        XYChart bandwidth = chart(
                bus ? "Bus bandwidth" : "Algorithm bandwidth",
                where,
                "bandwidth (GB/s)",
                rows,
                bus ? Row.Timing::busBandwidth : Row.Timing::algorithmBandwidth,
                true);
        BufferedImage image = new BufferedImage(2 * WIDTH + LEGEND, bandwidth.getHeight(), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try {
            graphics.drawImage(BitmapEncoder.getBufferedImage(time), 0, 0, null);
            graphics.drawImage(BitmapEncoder.getBufferedImage(bandwidth), WIDTH, 0, null);
        } finally {
            graphics.dispose();
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            ImageIO.write(image, "png", out);
        }
    }

    /**
     * Writes a PNG file of curves over a size, both axes logarithmic.
     *
     * @param curves points of each curve by its name, (x, y) pairs with x and y above 0
     * @throws IllegalArgumentException if there is nothing to draw
     * @throws IOException if the file cannot be written
     */
    public static void curves(Path file, String title, String x, String y, Map<String, List<double[]>> curves)
            throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH + LEGEND)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        style(chart.getStyler());
        chart.getStyler().setXAxisTickLabelsFormattingFunction(log -> "%.0f".formatted(Math.pow(2, log)));
        int number = 0;
        for (Map.Entry<String, List<double[]>> each : curves.entrySet()) {
            Curve curve = new Curve();
            each.getValue().forEach(point -> curve.add((long) point[0], point[1]));
            draw(chart, each.getKey(), curve, number++);
        }
        if (chart.getSeriesCollection().isEmpty()) {
            throw new IllegalArgumentException("there is nothing to draw: no curve has a point");
        }
        LogRange range = LogRange.of(
                chart.getSeriesCollection().stream().flatMapToDouble(series -> Arrays.stream(series.getYData())));
        chart.getStyler().setYAxisMin(range.least());
        chart.getStyler().setYAxisMax(range.most());
        BufferedImage image = BitmapEncoder.getBufferedImage(chart);
        try (OutputStream out = Files.newOutputStream(file)) {
            ImageIO.write(image, "png", out);
        }
    }

    static XYChart chart(
            String title,
            String where,
            String yTitle,
            List<Row> rows,
            ToDoubleFunction<Row.Timing> value,
            boolean right) {
        Map<String, List<Row>> groups = groups(rows);
        XYChart chart = new XYChartBuilder()
                .width(right ? WIDTH + LEGEND : WIDTH)
                .height(Math.max(HEIGHT, LEGEND_LINE * (groups.size() + 3)))
                .title(title + " (" + where + ")")
                .xAxisTitle("size of the larger buffer")
                .yAxisTitle(yTitle)
                .build();
        style(chart.getStyler());
        // Both charts have the same curves in the same colours.
        chart.getStyler().setLegendVisible(right);
        int number = 0;
        for (Map.Entry<String, List<Row>> group : groups.entrySet()) {
            Curve outOfPlace = new Curve();
            Curve inPlace = new Curve();
            for (Row row : group.getValue()) {
                outOfPlace.add(row.bytes(), value.applyAsDouble(row.outOfPlace()));
                if (row.inPlace() != null && groups.size() <= FEW) {
                    inPlace.add(row.bytes(), value.applyAsDouble(row.inPlace()));
                }
            }
            Color mine = COLORS.get(number % COLORS.size());
            Marker marker = MARKERS.get(number / COLORS.size() % MARKERS.size());
            draw(chart, group.getKey(), outOfPlace, mine, SOLID, marker);
            draw(chart, group.getKey() + ", in place", inPlace, mine, DASHED, SeriesMarkers.NONE);
            number++;
        }
        if (right && rows.stream().anyMatch(row -> row.copyBandwidth() > 0)) {
            draw(chart, "plain copy", copies(rows), COPY, DOTTED, SeriesMarkers.NONE);
        }
        LogRange range = LogRange.of(
                chart.getSeriesCollection().stream().flatMapToDouble(series -> Arrays.stream(series.getYData())));
        chart.getStyler().setYAxisMin(range.least());
        chart.getStyler().setYAxisMax(range.most());
        return chart;
    }

    private static final BasicStroke SOLID = stroke();
    private static final BasicStroke DASHED = stroke(7, 5);
    private static final BasicStroke DOTTED = stroke(2, 4);

    private static BasicStroke stroke(float... dashes) {
        return dashes.length == 0
                ? new BasicStroke(2)
                : new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0);
    }

    /** A curve with the colour and the marker of its number. */
    static void draw(XYChart chart, String name, Curve curve, int number) {
        Marker marker = MARKERS.get(number / COLORS.size() % MARKERS.size());
        draw(chart, name, curve, COLORS.get(number % COLORS.size()), SOLID, marker);
    }

    private static void draw(XYChart chart, String name, Curve curve, Color color, BasicStroke stroke, Marker marker) {
        if (curve.x.isEmpty()) {
            return;
        }
        XYSeries series = chart.addSeries(name, curve.x, curve.y);
        series.setLineColor(color);
        series.setLineStyle(stroke);
        series.setMarkerColor(color);
        // A single point has no line.
        series.setMarker(marker.equals(SeriesMarkers.NONE) && curve.x.size() == 1 ? SeriesMarkers.CIRCLE : marker);
    }

    private static Curve copies(List<Row> rows) {
        Map<Long, Double> mean = rows.stream()
                .filter(row -> row.operation().hasSizes())
                .collect(Collectors.groupingBy(
                        Row::bytes, TreeMap::new, Collectors.averagingDouble(Row::copyBandwidth)));
        Curve curve = new Curve();
        mean.forEach(curve::add);
        return curve;
    }

    /** Rows that make one curve, under its name; the name has of type, reduction and root what not all rows share. */
    private static Map<String, List<Row>> groups(List<Row> rows) {
        List<Row> sized =
                rows.stream().filter(row -> row.operation().hasSizes()).toList();
        boolean types = sized.stream().map(Row::type).distinct().count() > 1;
        boolean reductions = sized.stream()
                        .map(Row::reduction)
                        .filter(op -> op != null)
                        .distinct()
                        .count()
                > 1;
        boolean roots = sized.stream()
                        .map(Row::root)
                        .filter(root -> root >= 0)
                        .distinct()
                        .count()
                > 1;
        Map<String, List<Row>> groups = new LinkedHashMap<>();
        for (Row row : sized) {
            String name = row.operation()
                    + (types ? " " + Names.of(row.type()) : "")
                    + (reductions ? suffix(row.reduction()) : "")
                    + (roots && row.root() >= 0 ? " root " + row.root() : "");
            groups.computeIfAbsent(name, _ -> new ArrayList<>()).add(row);
        }
        return groups;
    }

    private static String suffix(@Nullable ReduceOp reduction) {
        return reduction == null ? "" : " " + Names.of(reduction);
    }

    static void style(XYStyler styler) {
        styler.setYAxisLogarithmic(true);
        styler.setXAxisTickLabelsFormattingFunction(log -> Sizes.text(Math.rint(Math.pow(2, log))));
        styler.setYAxisTickLabelsFormattingFunction(Plot::number);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBackgroundColor(Color.WHITE);
        styler.setPlotBorderColor(Color.GRAY);
        styler.setPlotGridLinesColor(GRID);
        styler.setPlotGridLinesStroke(new BasicStroke(1));
        styler.setLegendPosition(LegendPosition.OutsideE);
        styler.setLegendLayout(LegendLayout.Vertical);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setMarkerSize(6);
        styler.setChartTitleBoxVisible(false);
        styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
        styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    }

    private static String number(double value) {
        return value >= 1
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.6f", value).replaceAll("0+$", "");
    }
}
