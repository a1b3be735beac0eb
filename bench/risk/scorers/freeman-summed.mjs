import { createFreeman } from '../freeman.mjs';

export const title = 'Freeman et al. 2016, as in Wiefling et al. 2022';

export const createScorer = () => createFreeman({ smoothing: 'summed' });
