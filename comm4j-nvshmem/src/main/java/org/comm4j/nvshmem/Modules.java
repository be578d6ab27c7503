// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.cuda.CudaLibrary;
import org.comm4j.cuda.CudaModule;
import org.comm4j.ffi.nvshmem.LibNvshmem;

/** Loaded code that calls NVSHMEM from kernels: the library writes into it where the heaps are. */
final class Modules {
    private static final System.Logger LOG = System.getLogger("org.comm4j.nvshmem");

    /** How to undo what was done to a module or library, and whether it is still loaded. */
    private interface Initialized {
        boolean isLoaded();

        void end();
    }

    private final Session session;
    /** By the module or library. Guarded by itself. */
    private final Map<Object, Initialized> initialized = new LinkedHashMap<>();

    Modules(Session session) {
        this.session = session;
    }

    void init(CudaModule module) {
        if (module.device().ordinal() != session.device.ordinal()) {
            throw new IllegalArgumentException(
                    "initModule on " + session.where() + ": " + module + " is not on this GPU");
        }
        var handle = module.handle();
        init(module, "initModule", () -> LibNvshmem.nvshmemx_cumodule_init(handle), new Initialized() {
            @Override
            public boolean isLoaded() {
                return module.isOpen();
            }

            @Override
            public void end() {
                LibNvshmem.nvshmemx_cumodule_finalize(handle);
            }
        });
    }

    void init(CudaLibrary library) {
        var handle = library.handle();
        init(library, "initLibrary", () -> LibNvshmem.nvshmemx_culibrary_init(handle), new Initialized() {
            @Override
            public boolean isLoaded() {
                return library.isOpen();
            }

            @Override
            public void end() {
                LibNvshmem.nvshmemx_culibrary_finalize(handle);
            }
        });
    }

    private void init(Object code, String operation, Runnable call, Initialized undo) {
        session.check(operation);
        synchronized (initialized) {
            if (initialized.containsKey(code)) {
                throw new IllegalStateException(
                        operation + " on " + session.where() + ": " + code + " is initialised already");
            }
        }
        try {
            // It waits for the device, which may be waiting for another PE.
            session.block(operation + " of " + code, call);
        } catch (NvshmemException e) {
            throw new IllegalArgumentException(
                    operation + " on " + session.where() + ": " + code
                            + " cannot be initialised; it must contain NVSHMEM's device library, of this version or an older"
                            + " one (" + e.getMessage() + ")",
                    e);
        }
        synchronized (initialized) {
            initialized.put(code, undo);
        }
    }

    void end(Object code) {
        String operation = code instanceof CudaModule ? "finalizeModule" : "finalizeLibrary";
        session.check(operation);
        Initialized undo;
        synchronized (initialized) {
            undo = initialized.remove(code);
        }
        if (undo == null) {
            throw new IllegalStateException(operation + " on " + session.where() + ": " + code + " is not initialised");
        }
        if (!undo.isLoaded()) {
            throw new IllegalStateException(
                    operation + " on " + session.where() + ": " + code + " was closed before; finalise first");
        }
        session.block(operation + " of " + code, undo::end);
    }

    /** Undoes all that is left. Inside the library's last calls. */
    void endAll() {
        synchronized (initialized) {
            initialized.forEach((code, undo) -> {
                if (undo.isLoaded()) {
                    undo.end();
                } else {
                    LOG.log(Level.WARNING, code + " on " + session.where() + " was closed before it was finalised");
                }
            });
            initialized.clear();
        }
    }
}
