import { readFileSync } from 'node:fs';
import { facets, parse } from '../../../dist/fingerprint.js';

const { cases } = JSON.parse(readFileSync(new URL('../recorded/fingerprints.json', import.meta.url), 'utf8'));

/** The recorded builds of Chromium, oldest first. */
export const builds = cases
  .filter(({ kind }) => kind === 'upgrade')
  .map(({ id, fingerprint }) => ({ id, ...parse(fingerprint) }))
  .sort((a, b) => a.descriptor.browserVersion - b.descriptor.browserVersion);

/**
 * How often one release moves a facet: moves between neighbours in the recorded builds, over the releases between the
 * first and the last. Surface moves with every one. One move more is counted than was seen, for those that come and go
 * unseen between two builds, and for facets that have had no occasion yet.
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
