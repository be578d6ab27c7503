// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Rodinia's lavaMD: particles in boxes feel those of the boxes around; a block for each box brings its neighbours'
 * particles one box at a time.
 */
final class LavaMd extends Program {
    private static final int SIDE = 3;
    private static final int PARTICLES = 10;
    private static final double ALPHA = 0.5;

    /** A place, or a force. */
    record Vector(double x, double y, double z) {
        Vector minus(Vector other) {
            return new Vector(x - other.x, y - other.y, z - other.z);
        }

        Vector plus(double factor, Vector other) {
            return new Vector(x + factor * other.x, y + factor * other.y, z + factor * other.z);
        }

        double dot(Vector other) {
            return x * other.x + y * other.y + z * other.z;
        }
    }

    private static Vector at(F64Ptr places, long particle) {
        return new Vector(places.get(3 * particle), places.get(3 * particle + 1), places.get(3 * particle + 2));
    }

    @Kernel
    static void forces(F64Ptr places, F64Ptr charges, F64Ptr forces) {
        F64Ptr near = F64Ptr.of(Shared.f64(3 * PARTICLES));
        double[] charge = Shared.f64(PARTICLES);
        int t = ThreadIdx.x();
        int box = (BlockIdx.z() * SIDE + BlockIdx.y()) * SIDE + BlockIdx.x();
        int own = box * PARTICLES + t;
        Vector force = new Vector(0, 0, 0);
        Vector place = t < PARTICLES ? at(places, own) : force;
        for (int dz = -1; dz <= 1; dz++) {
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    int x = BlockIdx.x() + dx;
                    int y = BlockIdx.y() + dy;
                    int z = BlockIdx.z() + dz;
                    if (Math.min(x, Math.min(y, z)) < 0 || Math.max(x, Math.max(y, z)) >= SIDE) {
                        continue;
                    }
                    int other = ((z * SIDE + y) * SIDE + x) * PARTICLES;
                    Block.sync();
                    for (int i = t; i < 3 * PARTICLES; i += BlockDim.x()) {
                        near.set(i, places.get(3 * other + i));
                    }
                    if (t < PARTICLES) {
                        charge[t] = charges.get(other + t);
                    }
                    Block.sync();
                    for (int i = 0; i < PARTICLES && t < PARTICLES; i++) {
                        Vector from = place.minus(at(near, i));
                        double potential = Math.exp(-ALPHA * from.dot(from));
                        force = force.plus(2 * charge[i] * potential, from);
                    }
                }
            }
        }
        if (t < PARTICLES) {
            forces.set(3L * own, force.x());
            forces.set(3L * own + 1, force.y());
            forces.set(3L * own + 2, force.z());
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int n = SIDE * SIDE * SIDE * PARTICLES;
        double[] places = new double[3 * n];
        for (int i = 0; i < 3 * n; i++) {
            int box = i / (3 * PARTICLES);
            int[] corner = {box % SIDE, box / SIDE % SIDE, box / SIDE / SIDE};
            places[i] = corner[i % 3] + random.nextDouble();
        }
        double[] charges = doubles(random, n);
        HostArray forces = HostArray.of(new double[3 * n]);
        machine.launch(
                machine.kernel(LavaMd.class, "forces"),
                LaunchConfig.grid(SIDE, SIDE, SIDE).block(16),
                HostArray.of(places),
                HostArray.of(charges),
                forces);
        double[] expected = new double[3 * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                int a = i / PARTICLES;
                int b = j / PARTICLES;
                if (Math.abs(a % SIDE - b % SIDE) > 1
                        || Math.abs(a / SIDE % SIDE - b / SIDE % SIDE) > 1
                        || Math.abs(a / SIDE / SIDE - b / SIDE / SIDE) > 1) {
                    continue;
                }
                double squares = 0;
                for (int axis = 0; axis < 3; axis++) {
                    double difference = places[3 * i + axis] - places[3 * j + axis];
                    squares += difference * difference;
                }
                for (int axis = 0; axis < 3; axis++) {
                    expected[3 * i + axis] +=
                            2 * charges[j] * Math.exp(-ALPHA * squares) * (places[3 * i + axis] - places[3 * j + axis]);
                }
            }
        }
        // exp may differ in its last bits.
        near(forces, expected, 1e-12);
    }
}
