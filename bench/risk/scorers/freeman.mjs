import { createFreeman } from '../freeman.mjs';

export const title = 'Freeman et al. 2016, interpolated';

export const createScorer = () => createFreeman({ smoothing: 'interpolated' });
