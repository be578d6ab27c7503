// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.migration;

import org.comm4j.apps.InversionSettings;

/**
 * The options of a least-squares migration. Sources and receivers are at the surface, at equal distances.
 *
 * @param nx number of points along the surface
 * @param nz number of points downwards
 * @param dx distance of points along both axes in metres
 * @param velocity in metres per second
 * @param sources number of sources
 * @param receivers number of receivers
 * @param nt samples in time; 0 for as many as the farthest reflection needs
 * @param dt sampling interval in seconds
 * @param frequency of the Ricker wavelet in hertz
 * @param aperture limit of a ratio of offset to depth, 0 for none
 * @param angle limit of the rays' angle from the vertical in degrees, 90 for none
 * @param common options of all inversions
 */
public record MigrationSettings(
        int nx,
        int nz,
        double dx,
        double velocity,
        int sources,
        int receivers,
        int nt,
        double dt,
        double frequency,
        double aperture,
        double angle,
        InversionSettings common) {
    /** Contributions of points to traces: more take minutes an iteration. */
    private static final long MOST_CONTRIBUTIONS = 1L << 36;

    private static final int LEAST_POINTS = 4;

    /** Vectors of the data's size that an inversion has at a time. */
    private static final int DATA = 6;

    /** Checks the options. */
    public MigrationSettings {
        if (nx < LEAST_POINTS || nz < LEAST_POINTS) {
            throw new IllegalArgumentException(
                    nx + " x " + nz + " points: at least " + LEAST_POINTS + " along each axis are needed");
        }
        if (sources < 1) {
            throw new IllegalArgumentException("--sources " + sources + ": at least 1");
        }
        if (receivers < 1) {
            throw new IllegalArgumentException("--receivers " + receivers + ": at least 1");
        }
        if ((double) nx * nz * sources * receivers > MOST_CONTRIBUTIONS) {
            throw new IllegalArgumentException(nx + " x " + nz + " points, " + sources + " sources and " + receivers
                    + " receivers: their product is larger than " + MOST_CONTRIBUTIONS + "; take fewer of them");
        }
        if (nt < 0 || nt == 1) {
            throw new IllegalArgumentException("--nt " + nt + ": at least 2 samples");
        }
        InversionSettings.positive("--dx", dx);
        InversionSettings.positive("--velocity", velocity);
        InversionSettings.sampling(dt, frequency);
        InversionSettings.atLeastZero("--aperture", aperture);
        if (!(angle > 0) || angle > 90) {
            throw new IllegalArgumentException("--angle " + angle + ": more than 0 and at most 90 degrees");
        }
        double farthest = farthest(nx, nz, dx, velocity);
        if (nt == 0 && !(farthest / dt < 1 << 20)) {
            throw new IllegalArgumentException("--velocity " + velocity + ": the farthest reflection comes after "
                    + farthest + " s, which is too many samples; --nt says how many there are to be");
        }
    }

    /** Returns about how much memory all ranks need together for data and travel times, in bytes. */
    public double bytes() {
        double data = (double) sources * receivers * samples() * common.type().bytes();
        double times = (double) nx * nz * (sources + receivers) * Double.BYTES;
        return DATA * data + times;
    }

    /** The time from one end of the surface to the opposite corner and back. */
    private static double farthest(int nx, int nz, double dx, double velocity) {
        return 2 * dx * Math.hypot(nx, nz) / velocity;
    }

    /** Returns the number of samples, those of the farthest reflection if none is given. */
    int samples() {
        return nt != 0 ? nt : (int) Math.ceil(farthest(nx, nz, dx, velocity) / dt) + 2;
    }
}
