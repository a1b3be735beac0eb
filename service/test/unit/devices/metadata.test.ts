import { expect, test } from 'vitest';
import { isTooLarge, mergeMetadata, metadataBytes } from '../../../src/resources/metadata.js';

test('merges key by key, at the top level', () => {
  expect(mergeMetadata({ a: 1, b: { c: 2, d: 3 } }, { b: { c: 4 }, e: 5 })).toEqual({ a: 1, b: { c: 4 }, e: 5 });
});

test('removes a key set to null, also a missing one', () => {
  expect(mergeMetadata({ a: 1, b: 2 }, { a: null, c: null })).toEqual({ b: 2 });
});

test('treats names of built-in properties as ordinary keys', () => {
  const changes = JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": 1}');
  const merged = mergeMetadata({}, changes);
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"isAdmin":true},"constructor":1}');
  expect(merged.isAdmin).toBeUndefined();
});

test('is limited to 16 KiB of JSON', () => {
  const frame = JSON.stringify({ a: '' }).length;
  expect(isTooLarge({ a: 'x'.repeat(metadataBytes - frame) })).toBe(false);
  expect(isTooLarge({ a: 'x'.repeat(metadataBytes - frame + 1) })).toBe(true);
  expect(isTooLarge({ a: 'ä'.repeat(metadataBytes / 2) })).toBe(true);
});
