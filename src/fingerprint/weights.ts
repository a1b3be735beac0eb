import type { FacetName } from './facets.js';

/** What one facet's agreement or disagreement is worth. */
export interface Weight {
  /** The chance that two different devices agree on the facet by accident. */
  readonly u: number;
  /** The chance that one device agrees with itself a moment later. */
  readonly m: number;
  /** How many of all devices never change the facet, 0 to 1. */
  readonly lasting: number;
  /** After how many days half of the others have changed it. */
  readonly halfLifeDays: number;
  /** How much of its evidence counts, 0 to 1: facets that depend on others are not counted twice in full. */
  readonly damping: number;
}

/**
 * The first table of weights, set by hand from published rates of change and shared values (docs/comparing.md says
 * which); a fitted one takes its place when there is a benchmark to fit it to.
 */
export const weights: Readonly<Record<FacetName, Weight>> = {
  engine: { u: 0.6, m: 0.99999, lasting: 1, halfLifeDays: 3650, damping: 1 },
  platform: { u: 0.4, m: 0.9999, lasting: 1, halfLifeDays: 3650, damping: 1 },
  cpu: { u: 0.25, m: 0.9999, lasting: 1, halfLifeDays: 8000, damping: 1 },
  memory: { u: 0.5, m: 0.9999, lasting: 1, halfLifeDays: 4000, damping: 1 },
  gpu: { u: 0.06, m: 0.999, lasting: 1, halfLifeDays: 3000, damping: 1 },
  touch: { u: 0.6, m: 0.9999, lasting: 1, halfLifeDays: 8000, damping: 1 },
  gl: { u: 0.05, m: 0.995, lasting: 0, halfLifeDays: 60, damping: 0.5 },
  raster: { u: 0.3, m: 0.998, lasting: 0, halfLifeDays: 180, damping: 0.5 },
  text: { u: 0.08, m: 0.998, lasting: 0, halfLifeDays: 120, damping: 0.7 },
  audio: { u: 0.4, m: 0.998, lasting: 0, halfLifeDays: 600, damping: 0.6 },
  fonts: { u: 0.1, m: 0.998, lasting: 0, halfLifeDays: 500, damping: 1 },
  metrics: { u: 0.15, m: 0.998, lasting: 0, halfLifeDays: 400, damping: 0.5 },
  media: { u: 0.4, m: 0.998, lasting: 0, halfLifeDays: 300, damping: 0.6 },
  maths: { u: 0.6, m: 0.9995, lasting: 0, halfLifeDays: 1500, damping: 0.4 },
  surface: { u: 0.2, m: 0.999, lasting: 0, halfLifeDays: 30, damping: 0.4 },
  screen: { u: 0.12, m: 0.9, lasting: 0, halfLifeDays: 500, damping: 1 },
  input: { u: 0.6, m: 0.97, lasting: 0, halfLifeDays: 700, damping: 0.8 },
  locale: { u: 0.35, m: 0.995, lasting: 0, halfLifeDays: 900, damping: 0.8 },
  timezone: { u: 0.25, m: 0.97, lasting: 0, halfLifeDays: 500, damping: 0.8 },
  preferences: { u: 0.5, m: 0.93, lasting: 0, halfLifeDays: 500, damping: 1 },
};
