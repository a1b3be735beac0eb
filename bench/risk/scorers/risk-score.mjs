import { createScorer as create } from './risk.mjs';

export const title = 'Whorl by risk, new device at a known address by its score';
export const usesProof = true;
export const isProbability = true;

export const createScorer = (options) => create({ ...options, neighbours: 'score' });
