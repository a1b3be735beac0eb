import { expect, test } from 'vitest';
import { judgeProof } from '../../../src/recognition/proof/proof-rules.js';

const minute = 60_000;
const issuedAt = new Date('2026-11-21T09:30:00.000Z');
const after = (ms: number) => new Date(issuedAt.getTime() + ms);
const proof = {
  nonce: { issuedAt, expiresAt: after(5 * minute) },
  origin: 'https://shop.example',
  fingerprint: 'w1.test',
  madeAt: after(1000),
};
const expected = {
  fingerprint: 'w1.test',
  allowedOrigins: ['https://other.example', 'https://shop.example'],
  now: after(2000),
};

test('is valid with all expected values', () => {
  expect(judgeProof(proof, expected)).toBe('valid');
});

test.each([
  ['wrong_nonce', { nonce: undefined }, {}],
  ['expired', {}, { now: after(5 * minute + 1) }],
  ['wrong_origin', { origin: 'null' }, {}],
  ['wrong_origin', { origin: 'https://shop.example:444' }, {}],
  ['wrong_origin', {}, { allowedOrigins: [] }],
  ['wrong_fingerprint', { fingerprint: 'w1.test2' }, {}],
  ['wrong_time', { madeAt: after(-5 * minute - 1) }, {}],
  ['wrong_time', { madeAt: after(10 * minute + 1) }, {}],
] as const)('is %s with %o, %o', (outcome, claims, expectation) => {
  expect(judgeProof({ ...proof, ...claims }, { ...expected, ...expectation })).toBe(outcome);
});

test.each([
  ['the last moment of the nonce', {}, { now: after(5 * minute) }],
  ['a clock that is late', { madeAt: after(-5 * minute) }, {}],
  ['a clock that is early', { madeAt: after(10 * minute) }, {}],
])('is valid at %s', (_name, claims, expectation) => {
  expect(judgeProof({ ...proof, ...claims }, { ...expected, ...expectation })).toBe('valid');
});
