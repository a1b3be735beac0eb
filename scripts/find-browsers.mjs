import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

/**
 * Finds the browsers for the tests, without starting or installing anything.
 * An environment variable (WHORL_CHROMIUM, WHORL_FIREFOX, WHORL_MINIBROWSER, WHORL_WEBKITDRIVER) takes precedence over
 * installed browsers. If it names a missing file, the browser counts as not found, so that a typing error never runs
 * another browser.
 *
 * @returns {{ chromium?: string, firefox?: string, minibrowser?: string, webkitDriver?: string, xvfb?: string }}
 */
export function findBrowsers() {
  const found = {
    chromium: named('WHORL_CHROMIUM', () => onPath(CHROMIUM_NAMES) ?? playwrightChromium()),
    firefox: named('WHORL_FIREFOX', () => onPath(['firefox-esr', 'firefox'])),
    minibrowser: named('WHORL_MINIBROWSER', () => onPath(['MiniBrowser']) ?? packagedMiniBrowser()),
    webkitDriver: named('WHORL_WEBKITDRIVER', () => onPath(['WebKitWebDriver'])),
    xvfb: onPath(['Xvfb']),
  };
  return Object.fromEntries(Object.entries(found).filter(([, path]) => path !== undefined));
}

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

function named(variable, find) {
  const path = process.env[variable];
  if (!path) return find();
  return isExecutable(path) ? path : undefined;
}

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  for (const name of names) {
    const folder = folders.find((each) => isExecutable(join(each, name)));
    if (folder) return join(folder, name);
  }
  return undefined;
}

/**
 * Finds MiniBrowser, which is installed beside WebKit's library, in a folder named by architecture and version, and
 * never on the PATH.
 */
function packagedMiniBrowser() {
  // One line per package: its name (libwebkit2gtk-4.1-0:amd64), a tab, its version.
  const list = output('dpkg-query', ['--show', 'libwebkit2gtk-4.*']) ?? '';
  for (const line of list.split('\n').filter(Boolean)) {
    const [name = ''] = line.split('\t');
    const files = (output('dpkg', ['--listfiles', name]) ?? '').split('\n');
    const path = files.find((file) => file.endsWith('/MiniBrowser') && isExecutable(file));
    if (path) return path;
  }
  return undefined;
}

/** Returns the path of Playwright's download, which may not exist. */
function playwrightChromium() {
  try {
    const path = createRequire(import.meta.url)('playwright').chromium.executablePath();
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function output(command, args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
