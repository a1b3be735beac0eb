import { join } from 'node:path';
import { expect } from 'vitest';
import type { PublishedSource } from '../../../src/resources/addresses/published/rules/sources-file.js';
import {
  type UpdateOptions,
  type UpdateResult,
  updateSources,
} from '../../../src/resources/addresses/published/update.js';
import { writeMmdb } from '../../support/mmdb.js';
import type { Receiver } from '../../support/receiver.js';

/** The time of the updates. */
export const now = new Date('2026-11-20T12:00:00Z');
const country = (code: string) => [['81.2.69.0/24', { country: { iso_code: code } }]] as const;
/** Returns a database with one country. */
export const database = (builtAt = '2026-11-01', code = 'DE') =>
  writeMmdb(country(code), { type: 'Test-Country', builtAt: new Date(`${builtAt}T00:00:00Z`) });
/** Returns a list of so many ranges. */
export const ranges = (count: number) => Array.from({ length: count }, (_, index) => `9.9.${index}.1\n`).join('');

/** Returns what publishes files, and updates those in the folder that the test has now. */
export function updatesOf(at: () => { readonly publisher: Receiver; readonly folder: string }) {
  const serve = (path: string, body: Buffer | string, headers: Record<string, string> = {}) =>
    at().publisher.answerAlways(path, (response) => response.writeHead(200, headers).end(body));
  const city = (more: Partial<PublishedSource> = {}): PublishedSource => ({
    name: 'city',
    url: `${at().publisher.url}/city`,
    ...more,
  });
  const tor = (): PublishedSource => ({ name: 'tor', kind: 'tor', url: `${at().publisher.url}/tor` });
  const pathOf = (name: string) => join(at().folder, name);

  async function update(
    sources: readonly PublishedSource[] = [city()],
    options: Partial<UpdateOptions> = {},
  ): Promise<UpdateResult[]> {
    const results: UpdateResult[] = [];
    const report = (result: UpdateResult) => void results.push(result);
    await updateSources({ folder: at().folder, sources }, { report, now: () => now, environment: {}, ...options });
    return results;
  }

  /** Updates one source, and returns why it failed. Fails if it does not. */
  async function failureOf(source: PublishedSource, options: Partial<UpdateOptions> = {}): Promise<string | undefined> {
    const [result] = await update([source], options);
    expect(result?.outcome).toBe('failed');
    return result?.reason;
  }
  return { serve, city, tor, pathOf, update, failureOf };
}
