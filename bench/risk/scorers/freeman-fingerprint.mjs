import { createFreeman } from '../freeman.mjs';

export const title = 'Freeman et al. 2016, with the fingerprint in place of the user agent';

export const createScorer = () => createFreeman({ smoothing: 'interpolated', features: 'withFingerprint' });
