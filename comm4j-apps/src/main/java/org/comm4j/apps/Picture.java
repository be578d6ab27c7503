// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;

/** Sections and the convergence of a solver, side by side in a PNG file. */
public final class Picture {
    private static final int WIDTH = 330;
    private static final int HEIGHT = 400;
    private static final int LEFT = 66;
    private static final int RIGHT = 84;
    private static final int TOP = 84;
    private static final int BOTTOM = 60;
    private static final int BAR = 12;
    private static final int GAP = 8;
    private static final int TICK = 5;
    private static final int TICKS = 6;

    /** Width of a panel with its axes and colour bar, in pixels. */
    public static final int PANEL = LEFT + WIDTH + RIGHT;

    /** Height of a picture in pixels. */
    public static final int PICTURE_HEIGHT = TOP + HEIGHT + BOTTOM;

    private final Graphics2D graphics;

    private Picture(Graphics2D graphics) {
        this.graphics = graphics;
    }

    /**
     * Writes a picture, whose width is {@value #PANEL} pixels a panel.
     *
     * @param title above all panels
     * @param measure what the costs are
     * @param costs before the first iteration and after each
     * @throws IOException if the file cannot be written; the message names it
     */
    public static void write(Path file, String title, List<Section> sections, String measure, double... costs)
            throws IOException {
        BufferedImage image =
                new BufferedImage(PANEL * (sections.size() + 1), PICTURE_HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.setColor(Color.BLACK);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
        graphics.drawString(title, LEFT, 26);
        Picture picture = new Picture(graphics);
        for (Section section : sections) {
            picture.draw(section);
            graphics.translate(PANEL, 0);
        }
        picture.drawConvergence(measure, costs);
        graphics.dispose();
        // As a stream: ImageIO deletes what has the name of a file, be it a link or a device.
        try (OutputStream out = Files.newOutputStream(file)) {
            ImageIO.write(image, "png", out);
        } catch (IOException e) {
            throw new IOException("cannot write the picture to " + file + ": " + e.getMessage(), e);
        }
    }

    private void draw(Section section) {
        int samples = Math.max(1, section.samples());
        int columns = Math.max(1, section.columns());
        BufferedImage field = new BufferedImage(columns, samples, BufferedImage.TYPE_INT_RGB);
        double range = section.high() > section.low() ? section.high() - section.low() : 1;
        for (int c = 0; c < section.columns(); c++) {
            for (int s = 0; s < section.samples(); s++) {
                double value = section.values()[c * section.samples() + s];
                field.setRGB(c, s, section.colours().colour((value - section.low()) / range));
            }
        }
        // Many samples for a pixel are averaged; few are shown as they are.
        boolean coarse = columns < WIDTH && samples < HEIGHT;
        graphics.setRenderingHint(
                RenderingHints.KEY_INTERPOLATION,
                coarse
                        ? RenderingHints.VALUE_INTERPOLATION_NEAREST_NEIGHBOR
                        : RenderingHints.VALUE_INTERPOLATION_BICUBIC);
        graphics.drawImage(field, LEFT, TOP, WIDTH, HEIGHT, null);
        frame(section.title(), LEFT, WIDTH);
        across(section.across());
        down(section.down());
        bar(section);
    }

    private void frame(String title, int left, int width) {
        graphics.setColor(Color.BLACK);
        graphics.setStroke(new BasicStroke(1));
        graphics.drawRect(left, TOP, width, HEIGHT);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 13));
        graphics.drawString(title, left, TOP - 12);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
    }

    private void across(Axis axis) {
        for (double tick : axis.ticks(TICKS)) {
            int x = LEFT + (int) Math.round(WIDTH * (tick - axis.first()) / (axis.last() - axis.first()));
            graphics.drawLine(x, TOP + HEIGHT, x, TOP + HEIGHT + TICK);
            centred(axis.text(tick, TICKS), x, TOP + HEIGHT + 18);
        }
        centred(axis.label(), LEFT + WIDTH / 2, TOP + HEIGHT + 38);
    }

    private void down(Axis axis) {
        for (double tick : axis.ticks(TICKS)) {
            int y = TOP + (int) Math.round(HEIGHT * (tick - axis.first()) / (axis.last() - axis.first()));
            left(axis.text(tick, TICKS), y);
        }
        upright(axis.label(), 16);
    }

    private void left(String text, int y) {
        graphics.drawLine(LEFT - TICK, y, LEFT, y);
        graphics.drawString(text, LEFT - TICK - 3 - graphics.getFontMetrics().stringWidth(text), y + 4);
    }

    private void bar(Section section) {
        int x = LEFT + WIDTH + GAP;
        for (int y = 0; y < HEIGHT; y++) {
            graphics.setColor(new Color(section.colours().colour(1 - (double) y / (HEIGHT - 1))));
            graphics.drawLine(x, TOP + y, x + BAR, TOP + y);
        }
        graphics.setColor(Color.BLACK);
        graphics.drawRect(x, TOP, BAR, HEIGHT);
        Axis values = new Axis(section.quantity(), section.low(), section.high());
        for (double tick : values.ticks(TICKS)) {
            int y = TOP
                    + HEIGHT
                    - (int) Math.round(HEIGHT * (tick - values.first()) / (values.last() - values.first()));
            graphics.drawLine(x + BAR, y, x + BAR + TICK, y);
            graphics.drawString(values.text(tick, TICKS), x + BAR + TICK + 3, y + 4);
        }
        upright(values.label(), PANEL - 10);
    }

    private void centred(String text, int x, int y) {
        graphics.drawString(text, x - graphics.getFontMetrics().stringWidth(text) / 2, y);
    }

    /** Draws a label that is read from below. */
    private void upright(String text, int x) {
        AffineTransform before = graphics.getTransform();
        graphics.rotate(-Math.PI / 2, x, TOP + HEIGHT / 2.0);
        centred(text, x, TOP + HEIGHT / 2);
        graphics.setTransform(before);
    }

    /** Draws the costs over the iterations, by powers of ten. */
    private void drawConvergence(String measure, double... costs) {
        frame("Convergence", LEFT, WIDTH);
        upright(measure, 16);
        double[] positive = Arrays.stream(costs).filter(cost -> cost > 0).toArray();
        int most = Math.max(1, costs.length - 1);
        across(new Axis("iteration", 0, most));
        if (positive.length == 0) {
            return;
        }
        double high = Math.log10(Arrays.stream(positive).max().orElse(1));
        double least = Math.log10(Arrays.stream(positive).min().orElse(1));
        // Whole powers below, unless the residual fell by less than one.
        double low = high - least < 1 ? Math.min(least, high - 0.1) : Math.floor(least);
        int every = Math.max(1, (int) Math.ceil((high - low) / 8));
        for (int power = (int) Math.floor(low); power <= high; power += every) {
            for (int digit : high - low < 2 ? new int[] {1, 2, 5} : new int[] {1}) {
                double place = power + Math.log10(digit);
                if (place >= low - 1e-9 && place <= high + 1e-9) {
                    int y = TOP + (int) Math.round(HEIGHT * (high - place) / (high - low));
                    graphics.setColor(Color.LIGHT_GRAY);
                    graphics.drawLine(LEFT + 1, y, LEFT + WIDTH - 1, y);
                    graphics.setColor(Color.BLACK);
                    BigDecimal value = BigDecimal.valueOf(digit).scaleByPowerOfTen(power);
                    left(power > -5 && power < 5 ? value.toPlainString() : digit + "e" + power, y);
                }
            }
        }
        Path2D line = new Path2D.Double();
        boolean begun = false;
        for (int i = 0; i < costs.length; i++) {
            if (costs[i] > 0) {
                double x = LEFT + (double) WIDTH * i / most;
                double y = TOP + HEIGHT * (high - Math.log10(costs[i])) / (high - low);
                if (begun) {
                    line.lineTo(x, y);
                } else {
                    line.moveTo(x, y);
                    begun = true;
                }
            }
        }
        graphics.setColor(new Color(0x2166ac));
        graphics.setStroke(new BasicStroke(2));
        graphics.draw(line);
    }
}
