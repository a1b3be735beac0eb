import { builds, heldOutBuilds } from './builds.mjs';
import { groups } from './cases.mjs';

/**
 * @typedef {import('./cases.mjs').Situation & {
 *   id: string,
 *   kind: import('./cases.mjs').Kind,
 *   browser: import('./cases.mjs').Browser | 'build',
 *   build?: number,
 *   version?: string,
 *   inShort: boolean,
 * }} Case `build` is a major version, and `version` the version of the npm package.
 */

/** The facets that an upgrade, and other events in the same period, can change or make readable. */
const software = /** @type {const} */ ([
  'memoryFrom8',
  'gl',
  'raster',
  'text',
  'audio',
  'metrics',
  'media',
  'maths',
  'surface',
]);

/**
 * Returns all cases, references first.
 *
 * @param {{ heldOut?: boolean }} [options] `heldOut`: includes the builds that are excluded from development.
 * @returns {Case[]}
 */
export function listCases({ heldOut = false } = {}) {
  const browsers = /** @type {const} */ (['chromium', 'firefox', 'webkit']);
  return [
    ...browsers.map((browser) => ({
      id: `${browser}: reference`,
      kind: /** @type {const} */ ('reference'),
      browser,
      inShort: true,
    })),
    ...upgrades(heldOut ? { ...builds, ...heldOutBuilds } : builds),
    ...groups.flatMap(({ name, kind, inShort = false, on }) =>
      Object.entries(on).map(([browser, situation]) => ({
        reference: browser === 'system' ? 'build system' : `${browser}: reference`,
        ...situation,
        id: `${browser}: ${name}`,
        kind,
        // The keys of the group are browser names. Object.entries widens them to string.
        browser: /** @type {import('./cases.mjs').Browser} */ (browser),
        inShort,
      })),
    ),
    ...longAway(),
  ];
}

/** @param {Readonly<Record<number, string>>} versions @returns {Case[]} */
function upgrades(versions) {
  const ofVersions = Object.entries(versions).map(([major, version]) => ({
    id: `build ${major}`,
    kind: /** @type {const} */ ('upgrade'),
    browser: /** @type {const} */ ('build'),
    build: Number(major),
    version,
    inShort: false,
    mayChange: software,
  }));
  return [
    ...ofVersions,
    { id: 'build system', kind: 'upgrade', browser: 'system', inShort: false, mayChange: software },
  ];
}

/** Returns the upgrades with other changes since the last visit. @returns {Case[]} */
function longAway() {
  const screen = { width: 2560, height: 1440 };
  const environment = { TZ: 'Asia/Kolkata' };
  /** @type {[number, number][]} */
  const steps = [
    [140, 147],
    [129, 152],
  ];
  return steps.map(([from, to]) => ({
    id: `build ${to}: upgraded from ${from}, travel, another monitor`,
    kind: 'same',
    browser: 'build',
    build: to,
    version: builds[/** @type {keyof typeof builds} */ (to)],
    inShort: false,
    reference: `build ${from}`,
    launch: { screen, environment },
    mayChange: [...software, 'screen', 'timezone'],
    elapsedDays: (to - from) * 28,
  }));
}
