import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundle } from '../cost/bundle.mjs';
import { peers as costPeers, root } from '../cost/libraries.mjs';

const require = createRequire(import.meta.url);

/** The libraries of the cost benchmark and two small ones. Each is called as its README shows. */
const peers = [
  ...costPeers,
  {
    name: 'ClientJS',
    version: versionOf('clientjs'),
    // Bundlers cannot find its exports. Its README also shows the script tag.
    script: join(root, 'bench/node_modules/clientjs/dist/client.base.min.js'),
    runFromScript: 'window.run = async () => String(new ClientJS().getFingerprint());',
  },
  {
    name: 'broprint',
    version: versionOf('@rajesh896/broprint.js'),
    entry: `
      import { getCurrentBrowserFingerPrint } from '@rajesh896/broprint.js';
      window.run = async () => String(await getCurrentBrowserFingerPrint());`,
  },
];

/** @param {string} name */
function versionOf(name) {
  return require(join(root, 'bench/node_modules', name, 'package.json')).version;
}

export const peerNames = peers.map(({ name }) => name);

/** @type {Readonly<Record<string, string>>} */
export const versions = {
  whorl: require(join(root, 'package.json')).version,
  ...Object.fromEntries(peers.map(({ name, version }) => [name, version])),
};

/**
 * Returns classic scripts by name. Each puts its library's call into `window.identities`. Read once, so that a run
 * measures one build of whorl even if `dist/` changes.
 *
 * @param {{ withPeers: boolean }} options
 * @returns {Promise<Record<string, string>>}
 */
export async function readLibraries({ withPeers }) {
  /** @type {Record<string, string>} */
  const scripts = { whorl: await readFile(join(root, 'dist/whorl.min.js'), 'utf8') };
  if (!withPeers) return scripts;
  for (const peer of peers) {
    const code =
      'entry' in peer ? (await bundle(peer)).code : `${await readFile(peer.script, 'utf8')}\n${peer.runFromScript}`;
    scripts[peer.name] = `${code}\n(window.identities ??= {})[${JSON.stringify(peer.name)}] = window.run;`;
  }
  return scripts;
}
