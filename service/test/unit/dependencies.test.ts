import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({ dependencies: versions, devDependencies: versions });
const locked = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      license: z.string().optional(),
      hasInstallScript: z.boolean().default(false),
      link: z.boolean().default(false),
      dev: z.boolean().default(false),
    }),
  ),
});
const installed = Object.entries(locked.parse(read('package-lock.json')).packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);
const named = (entries: typeof installed) => entries.map(([path]) => path);

describe('every installed package', () => {
  test('has a hash', () => {
    expect(installed.length).toBeGreaterThan(50);
    expect(named(installed.filter(([, { integrity = '' }]) => !/^sha512-/.test(integrity)))).toEqual([]);
  });

  test('runs no code at installation', () => {
    // Only prints a message, and only tests use it.
    const printing = ['node_modules/core-js-bundle'];
    const scripted = installed.filter(
      ([path, { hasInstallScript, dev }]) => hasInstallScript && !(dev && printing.includes(path)),
    );
    expect(named(scripted)).toEqual([]);
  });

  test('has a permissive licence', () => {
    const free = [
      'MIT',
      'MIT-0',
      'ISC',
      '0BSD',
      'Apache-2.0',
      'BSD-2-Clause',
      'BSD-3-Clause',
      'CC0-1.0',
      '(MIT OR CC0-1.0)',
    ];
    // CC BY 4.0: data, credited on the dashboard (docs/addresses.md).
    const credited = ['node_modules/@ip-location-db/asn'];
    const used = installed.filter(([path, { dev }]) => !dev && !credited.includes(path));
    expect(named(used.filter(([, { license = '' }]) => !free.includes(license)))).toEqual([]);
  });

  test('is specified in an exact version', () => {
    const { dependencies, devDependencies } = manifest.parse(read('service/package.json'));
    const asked = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => version !== 'file:..',
    );
    expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});
