import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOrCreateSecret } from '../../src/ground/crypto/secret-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whorl-secret-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a secret is created once, even by concurrent requests', async () => {
  const secrets = await Promise.all(Array.from({ length: 10 }, () => readOrCreateSecret(folder)));
  expect(new Set(secrets).size).toBe(1);
  expect(Buffer.from(secrets[0] ?? '', 'base64')).toHaveLength(32);
  expect(await readOrCreateSecret(folder)).toBe(secrets[0]);
  expect(await readdir(folder)).toEqual(['secret']);
});

test('only its owner may read it', async () => {
  await readOrCreateSecret(folder);
  expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600);
});

test('another folder has another secret', async () => {
  expect(await readOrCreateSecret(join(folder, 'other'))).not.toBe(await readOrCreateSecret(folder));
});
