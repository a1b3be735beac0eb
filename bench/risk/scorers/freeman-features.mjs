import { createFreeman } from '../freeman.mjs';

export const title = 'Freeman et al. 2016, interpolated, without the frequency of the user';

export const createScorer = () => createFreeman({ smoothing: 'interpolated', byUser: false });
