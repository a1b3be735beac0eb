import type { FacetName } from './facets.js';

/** What one facet's agreement or disagreement is worth. */
export interface Weight {
  /** The chance that two different devices agree on the facet by accident. */
  readonly u: number;
  /** The chance that one device agrees with itself a moment later. */
  readonly m: number;
  /** After how many days half of all devices have changed the facet; Infinity where time alone does not change it. */
  readonly halfLifeDays: number;
  /** How much of its evidence counts, 0 to 1: facets that depend on others are not counted twice in full. */
  readonly share: number;
}

/**
 * The first table of weights, set by hand from published rates of change and shared values (docs/comparing.md says
 * which); a fitted one takes its place when there is a benchmark to fit it to.
 */
export const weights: Readonly<Record<FacetName, Weight>> = {
  engine: { u: 0.6, m: 0.99999, halfLifeDays: Infinity, share: 1 },
  platform: { u: 0.4, m: 0.9999, halfLifeDays: Infinity, share: 1 },
  cpu: { u: 0.25, m: 0.9995, halfLifeDays: 8000, share: 1 },
  memory: { u: 0.5, m: 0.999, halfLifeDays: 4000, share: 0.8 },
  gpu: { u: 0.06, m: 0.995, halfLifeDays: 3000, share: 1 },
  touch: { u: 0.6, m: 0.999, halfLifeDays: 8000, share: 0.8 },
  gl: { u: 0.05, m: 0.995, halfLifeDays: 60, share: 0.5 },
  raster: { u: 0.3, m: 0.998, halfLifeDays: 180, share: 0.5 },
  text: { u: 0.08, m: 0.998, halfLifeDays: 120, share: 0.7 },
  audio: { u: 0.4, m: 0.998, halfLifeDays: 600, share: 0.6 },
  fonts: { u: 0.1, m: 0.998, halfLifeDays: 500, share: 1 },
  metrics: { u: 0.15, m: 0.998, halfLifeDays: 400, share: 0.5 },
  media: { u: 0.4, m: 0.998, halfLifeDays: 300, share: 0.6 },
  maths: { u: 0.6, m: 0.9995, halfLifeDays: 1500, share: 0.4 },
  surface: { u: 0.2, m: 0.999, halfLifeDays: 30, share: 0.4 },
  screen: { u: 0.12, m: 0.9, halfLifeDays: 500, share: 1 },
  input: { u: 0.6, m: 0.97, halfLifeDays: 700, share: 0.8 },
  locale: { u: 0.35, m: 0.995, halfLifeDays: 900, share: 0.8 },
  timezone: { u: 0.25, m: 0.97, halfLifeDays: 500, share: 0.8 },
  preferences: { u: 0.5, m: 0.93, halfLifeDays: 500, share: 1 },
};
