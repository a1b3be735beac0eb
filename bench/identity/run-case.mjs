import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowsers } from '../../scripts/find-browsers.mjs';
import { startBuild } from './build-browser.mjs';
import { fetchBuild } from './builds.mjs';
import { loadEngine } from './harness.mjs';
import { environmentOf } from './settings.mjs';
import { visits } from './visits.mjs';

/**
 * Runs one case, including starting and stopping its browser.
 *
 * @param {import('./case-list.mjs').Case} each
 * @param {import('./server.mjs').IdentityServer} server
 * @returns {Promise<import('./visits.mjs').Reading>}
 */
export async function runCase(each, server) {
  const environment = { ...each.launch?.environment, ...(await environmentOf(each.device ?? {})) };
  const profile = each.revisit ? await mkdtemp(join(tmpdir(), 'whorl-identity-')) : undefined;
  try {
    const start = starter(each, { ...each.launch, environment, ...(profile && { profile }) });
    if (each.revisit) await inSession(start, (session) => visits.page(session, server));
    return await inSession(start, (session) => visits[each.visit ?? 'page'](session, server));
  } finally {
    if (profile) await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** @param {() => Promise<import('./visits.mjs').Session>} start @param {(session: import('./visits.mjs').Session) => Promise<any>} use */
async function inSession(start, use) {
  const session = await start();
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

/**
 * @param {import('./case-list.mjs').Case} each
 * @param {any} launch
 * @returns {() => Promise<import('./visits.mjs').Session>}
 */
function starter({ browser, build, version, emulate }, launch) {
  if (browser !== 'build' && browser !== 'system') return async () => (await loadEngine(browser)).launch(launch);
  return async () => {
    const executable = version ? await fetchBuild(version) : installedChromium();
    return startBuild(executable, { ...launch, major: build ?? majorOf(executable), emulate });
  };
}

function installedChromium() {
  const { chromium } = findBrowsers();
  if (!chromium) throw new Error('No Chromium found. `npm run setup:browsers` installs one.');
  return chromium;
}

/** @param {string} executable */
function majorOf(executable) {
  return Number(/(\d+)\./.exec(execFileSync(executable, ['--version'], { encoding: 'utf8' }))?.[1]);
}
