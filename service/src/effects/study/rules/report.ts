import type { FacetGroup, FacetName, priors, Weight } from 'whorl/fingerprint';
import type { Share } from './figures.js';

export interface FacetFigures {
  readonly name: FacetName;
  readonly group: FacetGroup;
  readonly readable: Share | null;
  /** Shannon entropy of the values, in bits. */
  readonly entropy_bits: number | null;
  /** How often two devices agree by chance. */
  readonly chance_agreement: number | null;
  /** How often one device agrees with itself, by days. */
  readonly agreement: Readonly<Record<string, Share | null>>;
}

export interface CalibrationRow {
  readonly prior: keyof typeof priors;
  readonly confidence: number;
  readonly one_device: number;
  readonly devices: number;
}

export interface StudyReport {
  readonly format: 'whorl-study-1';
  readonly k: number;
  readonly seed: number;
  readonly fingerprint_format: 'w1';
  readonly counts: Readonly<
    Record<
      | 'keys'
      | 'keys_seen_again'
      | 'users'
      | 'fingerprints'
      | 'unreadable_fingerprints'
      | 'pairs_same'
      | 'pairs_different',
      number | null
    >
  >;
  readonly is_sample: boolean;
  readonly split: Share | null;
  readonly identity_with_another_key: Share | null;
  readonly identity_with_overlapping_key: Share | null;
  readonly own_browsers_taken_for_one: Share | null;
  readonly equal_error_rate: (Share & { readonly bits: number }) | null;
  readonly calibration: readonly CalibrationRow[];
  readonly facets: readonly FacetFigures[];
  /** Null if there are too few keys to fit and judge on separate halves. */
  readonly weights: {
    readonly suggested: Readonly<Record<FacetName, Weight>>;
    readonly shipped: Readonly<Record<FacetName, Weight>>;
    readonly equal_error_rate: Readonly<
      Record<'shipped' | 'shipped_with_shares' | 'suggested' | 'suggested_with_shares', Share | null>
    >;
  } | null;
}
