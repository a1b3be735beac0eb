import { readFileSync } from 'node:fs';
import { facets, parse } from '../../../dist/fingerprint.js';

const { cases } = JSON.parse(readFileSync(new URL('../recorded/fingerprints.json', import.meta.url), 'utf8'));

/** The recorded builds of Chromium, oldest first. */
export const builds = cases
  .filter(({ kind }) => kind === 'upgrade')
  .map(({ id, fingerprint }) => ({ id, ...parse(fingerprint) }))
  .sort((a, b) => a.descriptor.browserVersion - b.descriptor.browserVersion);

/**
 * Returns how often one release changes a facet: the changes between neighbouring recorded builds, divided by the
 * number of releases between the first and the last. `surface` changes with every release. One more change is counted
 * than was seen, for changes that were reverted between two builds and for facets without an occasion so far.
 */
export const perRelease = Object.fromEntries(
  facets
    .filter(({ group }) => group === 'software')
    .map(({ name }) => {
      const moves = builds.slice(1).filter(({ facets: later }, at) => later[name] !== builds[at].facets[name]).length;
      const releases = builds.at(-1).descriptor.browserVersion - builds[0].descriptor.browserVersion;
      return [name, moves === 0 ? 0 : (moves + 1) / releases];
    }),
);
