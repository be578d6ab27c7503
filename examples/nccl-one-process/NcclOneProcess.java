// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;

/** One thread drives all GPUs that have room, or those that the arguments name. */
class NcclOneProcess {
    private static final long NEEDED = 256L << 20;

    public static void main(String[] args) {
        List<Device> gpus = new ArrayList<>();
        for (int ordinal = 0; ordinal < Cuda.deviceCount(); ordinal++) {
            if (args.length == 0 || List.of(args).contains(Integer.toString(ordinal))) {
                Device gpu = Device.of(ordinal);
                System.out.printf(
                        "%s: %s, %s, %.1f of %.1f GiB free%n",
                        gpu, gpu.name(), gpu.pciBusId(), gpu.freeMemory() / 0x1p30, gpu.totalMemory() / 0x1p30);
                if (gpu.freeMemory() >= NEEDED) {
                    gpus.add(gpu);
                } else {
                    gpu.close();
                }
            }
        }
        if (gpus.isEmpty()) {
            System.err.println(
                    Cuda.problem() == null ? "No GPU of these has enough free memory." : "There is no GPU here.");
            System.exit(1);
        }
        List<NcclCommunicator> comms = Nccl.initAll(gpus.toArray(Device[]::new));
        List<Stream> streams = gpus.stream().map(Device::newStream).toList();
        List<DeviceArray> data =
                gpus.stream().map(gpu -> gpu.allocate(DataType.FLOAT64, 1000)).toList();
        for (int i = 0; i < gpus.size(); i++) {
            data.get(i).fill(gpus.get(i).ordinal(), streams.get(i));
        }
        // One thread calls for all: the group lets them start together.
        Nccl.group(g -> {
            for (int i = 0; i < gpus.size(); i++) {
                g.on(comms.get(i), streams.get(i)).allReduce(data.get(i), data.get(i), ReduceOp.MAX);
            }
        });
        for (int i = 0; i < gpus.size(); i++) {
            comms.get(i).synchronize(streams.get(i));
            System.out.println("rank " + comms.get(i).rank() + " on " + gpus.get(i) + ": the largest ordinal is "
                    + data.get(i).slice(0, 1).toHost().getDouble(0));
        }
        comms.forEach(NcclCommunicator::close);
        gpus.forEach(Device::close);
    }
}
