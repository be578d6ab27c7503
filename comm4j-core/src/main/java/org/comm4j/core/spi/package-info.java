// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Interfaces and base classes for engines, the modules that carry communication out.
 *
 * <p>An {@link org.comm4j.core.spi.Engine} is a service: a module provides it, and programs find it by its name. Its
 * communicator extends {@link org.comm4j.core.spi.AbstractCommunicator}, which checks arguments, builds groups and
 * records events, so that the engine gets {@link org.comm4j.core.spi.Call calls} that are right. Programs ask engines
 * what a machine can do:
 *
 * {@snippet lang = java :
 * import org.comm4j.core.spi.Engine;
 *
 * class Engines {
 *     void main() {
 *         for (Engine engine : Engine.all()) {
 *             String problem = engine.problem();
 *             IO.println(engine.name() + ": " + (problem == null ? "ready" : problem));
 *         }
 *     }
 * }
 * }
 */
package org.comm4j.core.spi;
