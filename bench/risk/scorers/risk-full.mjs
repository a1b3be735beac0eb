import { createScorer as create } from './risk.mjs';

export const title = 'Whorl by risk, with cities and lists';
export const usesProof = true;

export const createScorer = (options) => create({ ...options, data: 'full' });
