import type { FacetName } from './facets.js';

/** How much evidence the agreement or disagreement of one facet provides. */
export interface Weight {
  /** The probability that two different devices agree on the facet by chance. */
  readonly u: number;
  /** The probability that two readings of one device agree when no time has passed. */
  readonly m: number;
  /** The share of devices that never change the facet, from 0 to 1. */
  readonly lasting: number;
  /** The number of days after which half of the other devices have changed it. */
  readonly halfLifeDays: number;
  /**
   * How much of the facet's evidence counts, from 0 to 1. Prevents facets that depend on each other from counting
   * twice.
   */
  readonly damping: number;
}

/**
 * The table of weights. bench/identity/fit.mjs fitted it on 2026-11-23 to 16,000 simulated devices (seed 2) with the
 * upgrades recorded in bench/identity/recorded. Do not edit it by hand: run the script again. docs/research/comparing.md
 * explains the method.
 */
export const weights: Readonly<Record<FacetName, Weight>> = {
  engine: { u: 0.62, m: 0.99999, lasting: 1, halfLifeDays: 3650, damping: 0.24 },
  platform: { u: 0.32, m: 0.9999, lasting: 1, halfLifeDays: 3650, damping: 0.24 },
  cpu: { u: 0.12, m: 0.9995, lasting: 1, halfLifeDays: 3650, damping: 0.24 },
  memory: { u: 0.72, m: 0.9995, lasting: 1, halfLifeDays: 3650, damping: 0.24 },
  gpu: { u: 0.018, m: 0.999, lasting: 1, halfLifeDays: 3650, damping: 0.24 },
  touch: { u: 0.53, m: 0.9995, lasting: 1, halfLifeDays: 3650, damping: 0.24 },
  memoryFrom8: { u: 0.35, m: 0.9995, lasting: 1, halfLifeDays: 3650, damping: 0.24 },
  gl: { u: 0.049, m: 0.999, lasting: 0, halfLifeDays: 230, damping: 0.05 },
  raster: { u: 0.1, m: 0.999, lasting: 0, halfLifeDays: 92, damping: 0.05 },
  text: { u: 0.0061, m: 0.999, lasting: 0, halfLifeDays: 130, damping: 0.55 },
  audio: { u: 0.26, m: 0.999, lasting: 0, halfLifeDays: 1300, damping: 0.05 },
  fonts: { u: 0.027, m: 0.99471, lasting: 0.5, halfLifeDays: 21, damping: 0.31 },
  metrics: { u: 0.053, m: 0.99898, lasting: 0.2, halfLifeDays: 230, damping: 0.11 },
  media: { u: 0.28, m: 0.999, lasting: 0, halfLifeDays: 1300, damping: 0.05 },
  maths: { u: 0.26, m: 0.999, lasting: 0, halfLifeDays: 1300, damping: 0.05 },
  surface: { u: 0.032, m: 0.999, lasting: 0, halfLifeDays: 15, damping: 0.08 },
  screen: { u: 0.029, m: 0.89395, lasting: 0.98, halfLifeDays: 2.9, damping: 0.62 },
  input: { u: 0.5, m: 0.99123, lasting: 0.4, halfLifeDays: 330, damping: 0.05 },
  locale: { u: 0.064, m: 0.99129, lasting: 0.91, halfLifeDays: 53, damping: 0.79 },
  timezone: { u: 0.035, m: 0.96281, lasting: 0.98, halfLifeDays: 6, damping: 0.84 },
  preferences: { u: 0.34, m: 0.87972, lasting: 0.8, halfLifeDays: 230, damping: 1 },
};
