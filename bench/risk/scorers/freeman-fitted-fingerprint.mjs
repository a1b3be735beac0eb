import { createFreeman } from '../freeman.mjs';
import { freemanWeights } from '../freeman-weights.mjs';

export const title = 'Freeman et al. 2016, with the fingerprint, fitted to the trace';

export const createScorer = () =>
  createFreeman({ features: 'withFingerprint', fitted: freemanWeights.withFingerprint });
