import { expect, test } from 'vitest';
import { isTooLarge, mergeMetadata, metadataBytes } from '../../../src/metadata.js';

test('merges key by key, at the top level', () => {
  expect(mergeMetadata({ a: 1, b: { c: 2, d: 3 } }, { b: { c: 4 }, e: 5 })).toEqual({ a: 1, b: { c: 4 }, e: 5 });
});

test('removes a key by null, also one that is not there', () => {
  expect(mergeMetadata({ a: 1, b: 2 }, { a: null, c: null })).toEqual({ b: 2 });
});

test('takes keys that objects have by themselves for what they are: keys', () => {
  const changes = JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": 1}');
  const merged = mergeMetadata({}, changes);
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"isAdmin":true},"constructor":1}');
  expect(merged.isAdmin).toBeUndefined();
});

test('holds 16 KiB, counted in bytes of JSON', () => {
  const frame = JSON.stringify({ a: '' }).length;
  expect(isTooLarge({ a: 'x'.repeat(metadataBytes - frame) })).toBe(false);
  expect(isTooLarge({ a: 'x'.repeat(metadataBytes - frame + 1) })).toBe(true);
  expect(isTooLarge({ a: 'ä'.repeat(metadataBytes / 2) })).toBe(true);
});
