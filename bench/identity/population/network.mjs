import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chooser } from './random.mjs';

const require = createRequire(import.meta.url);
const prefix = '*STRINGIFIED*';

/**
 * The Bayesian network of fingerprint-generator, trained on real traffic. Its root is the user agent, and every other
 * attribute depends only on the user agent. It is sampled here directly, because the package's own method has no seed.
 */
export function readNetwork() {
  const AdmZip = require('adm-zip');
  const folder = dirname(require.resolve('fingerprint-generator'));
  const [entry] = new AdmZip(join(folder, 'data_files', 'fingerprint-network-definition.zip')).getEntries();
  const { nodes } = JSON.parse(entry.getData().toString('utf8'));
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const userAgents = chooser(Object.entries(byName.get('userAgent').conditionalProbabilities));
  const choosers = new Map();
  return {
    userAgent: (random) => userAgents(random),
    /** Returns one attribute of a device with this user agent, or undefined if such devices do not have it. */
    attribute(name, userAgent, random) {
      const key = `${name}\n${userAgent}`;
      let choose = choosers.get(key);
      if (!choose) {
        const { deeper, skip } = byName.get(name).conditionalProbabilities;
        const entries = Object.entries(deeper?.[userAgent] ?? skip ?? {});
        choose = chooser(entries.length ? entries.map(([text, weight]) => [decode(text), weight]) : [[undefined, 1]]);
        choosers.set(key, choose);
      }
      return choose(random);
    },
  };
}

function decode(text) {
  if (text === '*MISSING_VALUE*') return undefined;
  return text.startsWith(prefix) ? JSON.parse(text.slice(prefix.length)) : text;
}
