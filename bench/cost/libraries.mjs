import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Library
 * @property {string} name
 * @property {string} version
 * @property {string} entry The source of a module that puts `run()` on window: the call that its README shows for a
 *   hash.
 * @property {string} script The whole file that it publishes for a script tag.
 * @property {string} [runFromScript] Puts `run()` on window if the script-tag file is run instead of the bundle.
 */

export const root = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(import.meta.url);

/** The measured library. All others are its peers. @type {Library} */
export const whorl = {
  name: 'whorl',
  version: require(join(root, 'package.json')).version,
  entry: `
    import { getHash } from ${JSON.stringify(join(root, 'dist/index.js'))};
    window.run = async () => (await getHash())[0];`,
  script: join(root, 'dist/whorl.min.js'),
  worker: join(root, 'dist/whorl-worker.min.js'),
  runFromScript: 'window.run = async () => (await Whorl.getHash())[0];',
};

/**
 * The same call with a worker, which makes the readings that block the page for longest (docs/package.md).
 * @type {Library}
 */
export const whorlWithWorker = {
  ...whorl,
  name: 'whorl, workerUrl',
  version: '',
  runFromScript: "window.run = async () => (await Whorl.getHash({ workerUrl: '/whorl-worker.min.js' }))[0];",
};

/** Each library is called as its README shows, with telemetry turned off if there is an option for it. */
export const peers = [
  peer('FingerprintJS', '@fingerprintjs/fingerprintjs', 'dist/fp.min.js', {
    // Its README loads early and calls late. A page that needs the hash now waits for both.
    entry: `
      import FingerprintJS from '@fingerprintjs/fingerprintjs';
      window.run = async () => {
        const agent = await FingerprintJS.load({ monitoring: false });
        return (await agent.get()).visitorId;
      };`,
  }),
  peer('ThumbmarkJS', '@thumbmarkjs/thumbmarkjs', 'dist/thumbmark.umd.js', {
    entry: `
      import { Thumbmark } from '@thumbmarkjs/thumbmarkjs';
      window.run = async () => (await new Thumbmark({ logging: false }).get()).thumbmark;`,
  }),
  peer('rupt', 'rupt', 'index.js', {
    // It has no option for telemetry. getHash needs no client id and sends nothing.
    entry: `
      import Rupt from 'rupt';
      window.run = async () => (await Rupt.getHash())[0];`,
  }),
];

/**
 * A page that only waits. It shows the noise of the machine and the cost of the measurement.
 * @type {Pick<Library, 'name' | 'version' | 'entry'>}
 */
export const control = {
  name: 'nothing',
  version: '',
  entry: `window.run = () => new Promise((resolve) => setTimeout(resolve, 100, 'waited 100 ms'));`,
};

/**
 * Pages that do one thing, to show what it costs alone. Loaded only if named.
 * @type {Pick<Library, 'name' | 'version' | 'entry'>[]}
 */
export const probes = [
  probe('WebGL 1', `createCanvas().getContext('webgl', settings);`),
  probe('WebGL 2', `createCanvas().getContext('webgl2', settings);`),
  probe(
    'drawing',
    `new OffscreenCanvas(160, 36).getContext('2d', { willReadFrequently: true }).getImageData(0, 0, 1, 1);`,
  ),
];

/**
 * Returns another build of whorl, to compare with.
 *
 * @param {{ label: string, path: string }} build `path`: its script-tag file.
 * @returns {Library}
 */
export function otherBuild({ label, path }) {
  return { ...whorl, name: label, version: '', script: path };
}

/** @param {string} name @param {string} action */
function probe(name, action) {
  const start = `
    const settings = { antialias: false, depth: false, stencil: false };
    const createCanvas = () => Object.assign(document.createElement('canvas'), { width: 1, height: 1 });`;
  return { name, version: '', entry: `${start}\nwindow.run = async () => { ${action} return 'done'; };` };
}

/**
 * @param {string} name
 * @param {string} packageName
 * @param {string} script
 * @param {{ entry: string }} call
 * @returns {Library}
 */
function peer(name, packageName, script, { entry }) {
  const folder = packageFolder(packageName);
  return { name, version: require(join(folder, 'package.json')).version, entry, script: join(folder, script) };
}

/**
 * Avoids `require.resolve('name/package.json')`, which fails if a package does not export that file. @param {string}
 * name
 */
function packageFolder(name) {
  let folder = dirname(require.resolve(name));
  while (!folder.endsWith(join('node_modules', name))) folder = dirname(folder);
  return folder;
}
