// Finds or installs what the browser tests need: Chromium, Firefox, WebKitGTK's MiniBrowser with its driver, and Xvfb.
//   node scripts/setup-browsers.mjs [--optional]     with --optional, a missing browser is only a warning
import { spawnSync } from 'node:child_process';
import { installPackages, run } from './apt.mjs';
import { findBrowsers } from './find-browsers.mjs';

/** Ubuntu has no firefox-esr, so firefox is the second attempt. */
const NEEDED = [
  { name: 'chromium', title: 'Chromium', packages: ['chromium'] },
  { name: 'firefox', title: 'Firefox', packages: ['firefox-esr', 'firefox'] },
  { name: 'minibrowser', title: 'WebKitGTK MiniBrowser', packages: ['webkit2gtk-driver'] },
  { name: 'webkitDriver', title: 'WebKitWebDriver', packages: ['webkit2gtk-driver'] },
  { name: 'xvfb', title: 'Xvfb', packages: ['xvfb'] },
];
/** A minimal system has no fonts, and then no browser shows text. */
const FONTS = 'fonts-dejavu-core';
const PLAYWRIGHT_TIMEOUT_MS = 5 * 60_000;

main();

function main() {
  if (missing().length > 0) console.log(`Not installed yet: ${titles(missing())}.`);
  if (missing().some(({ name }) => name === 'chromium')) downloadChromium();
  if (missing().length > 0) installBrowsers();
  report();
  if (missing().length > 0) giveUp();
}

function missing() {
  const found = findBrowsers();
  return NEEDED.filter(({ name }) => !found[name]);
}

function downloadChromium() {
  console.log('Downloading Chromium with Playwright.');
  const done = run('npx', ['--no-install', 'playwright', 'install', 'chromium'], { timeout: PLAYWRIGHT_TIMEOUT_MS });
  const path = findBrowsers().chromium;
  if (!done || !path) console.log("Playwright's download did not succeed.");
  // The download does not include system libraries, so it may be present and still not start.
  else if (!version(path)) installLibraries();
}

function installLibraries() {
  console.log('The downloaded Chromium needs more system libraries. Installing them with Playwright.');
  if (!run('npx', ['--no-install', 'playwright', 'install-deps', 'chromium']))
    console.log('Playwright could not install them.');
}

function installBrowsers() {
  const attempts = Math.max(...NEEDED.map(({ packages }) => packages.length));
  const attempt = (number) => () => {
    const names = new Set(missing().flatMap(({ packages }) => packages.slice(number, number + 1)));
    return names.size > 0 ? [...names, FONTS] : [];
  };
  installPackages(Array.from({ length: attempts }, (_, number) => attempt(number)));
}

function report() {
  const found = findBrowsers();
  console.log('Found:');
  for (const { name, title } of NEEDED) {
    const path = found[name];
    console.log(
      `  ${title}: ${path ? `${path} (${version(path) ?? packaged(path) ?? 'version unknown'})` : 'missing'}`,
    );
  }
}

function giveUp() {
  const packages = [...new Set(missing().map((each) => each.packages.join(' or ')))];
  const sentence = `Missing: ${titles(missing())}. Install it manually (on Debian: ${packages.join(', ')}).`;
  if (process.argv.includes('--optional')) {
    console.warn(`Warning: ${sentence} The tests skip missing engines.`);
    return;
  }
  console.error(sentence);
  process.exitCode = 1;
}

/**
 * Returns the version that the program prints. MiniBrowser prints it only with a display, and the driver and Xvfb never
 * do.
 */
function version(path) {
  const result = spawnSync(path, ['--version'], {
    encoding: 'utf8',
    timeout: 30_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return result.status === 0 && result.stdout.trim() ? result.stdout.trim().split('\n')[0] : undefined;
}

/** Returns the version of the Debian package that contains the file. */
function packaged(path) {
  const owner = spawnSync('dpkg', ['--search', path], { encoding: 'utf8' }).stdout?.split(/: /)[0];
  if (!owner) return undefined;
  const line = spawnSync('dpkg-query', ['--show', owner], { encoding: 'utf8' }).stdout?.trim();
  return line ? `package ${line.replace('\t', ' ')}` : undefined;
}

function titles(list) {
  return list.map(({ title }) => title).join(', ');
}
