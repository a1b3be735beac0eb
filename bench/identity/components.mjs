// How well peers would do with the best choice of their components, which FingerprintJS and ThumbmarkJS let a site make.
//   npm run --silent --prefix bench components [-- --only <pattern>] [--markdown]
//   … --from <components.json>…: no browsers, the readings of earlier runs
// The choice is made with the results in hand, which favours the peers: no site knows them in advance.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from '../cost/bundle.mjs';
import { whorl } from '../cost/libraries.mjs';
import { formatTable } from '../cost/table.mjs';
import { listCases } from './case-list.mjs';
import { runCase } from './run-case.mjs';
import { startServer } from './server.mjs';

/**
 * @typedef {Record<string, string>} Leaves Values as JSON, by the path of the component.
 * @typedef {{ id: string, kind: import('./cases.mjs').Kind, reference?: string, components: Record<string, Leaves> }} Seen
 */

/** Each resolves to its components by name, as it offers them for a hash of one's own choice. */
const libraries = {
  'FingerprintJS, hashComponents': `
    import FingerprintJS from '@fingerprintjs/fingerprintjs';
    const read = async () => {
      const agent = await FingerprintJS.load({ monitoring: false });
      const { components } = await agent.get();
      return Object.fromEntries(Object.entries(components).map(([name, { value }]) => [name, value ?? 'error']));
    };`,
  'ThumbmarkJS, include': `
    import { Thumbmark } from '@thumbmarkjs/thumbmarkjs';
    const read = async () => (await new Thumbmark({ logging: false }).get()).components;`,
};

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    from: { type: 'string', multiple: true },
    markdown: { type: 'boolean', default: false },
  },
});

const seen = options.from ? await readAll(options.from) : await runAndKeep(new RegExp(options.only));
console.log(
  formatTable([['', 'components kept', 'same device', 'any two builds', 'another device'], ...rows()], options),
);
// The browsers' pipes would keep the process alive.
process.exit(0);

/** @param {readonly string[]} files @returns {Promise<Seen[]>} */
async function readAll(files) {
  const all = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
  return [...new Map(all.flat().map((each) => [each.id, each])).values()];
}

/** @param {RegExp} pattern */
async function runAndKeep(pattern) {
  const scripts = { whorl: await readFile(whorl.script, 'utf8') };
  for (const [name, source] of Object.entries(libraries)) {
    const { code } = await bundle({ entry: `${source}\nwindow.run = async () => JSON.stringify(await read());` });
    scripts[name] = `${code}\n(window.identities ??= {})[${JSON.stringify(name)}] = window.run;`;
  }
  const server = await startServer(scripts);
  const all = listCases();
  const wanted = all.filter(({ id }) => pattern.test(id));
  const references = new Set(wanted.map(({ reference }) => reference));
  /** @type {Seen[]} */
  const results = [];
  for (const each of all.filter((one) => wanted.includes(one) || references.has(one.id))) {
    try {
      const { peers } = await runCase(each, server);
      const components = Object.entries(peers).map(([name, { hash }]) => [
        name,
        hash ? leavesOf(JSON.parse(hash)) : {},
      ]);
      const { id, kind, reference } = each;
      results.push({ id, kind, ...(reference && { reference }), components: Object.fromEntries(components) });
      console.error(id);
    } catch (error) {
      console.error(`${each.id}  failed: ${error}`);
    }
  }
  await server.close();
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  await mkdir(folder, { recursive: true });
  const file = `${folder}components-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`;
  await writeFile(file, JSON.stringify(results));
  console.error(`\nEvery reading: ${file}`);
  return results;
}

/** Returns the values by path, because ThumbmarkJS can include a part of a component. @returns {Leaves} */
function leavesOf(/** @type {unknown} */ value, path = '') {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { [path]: JSON.stringify(value) };
  const parts = Object.entries(value).map(([name, part]) => leavesOf(part, path ? `${path}.${name}` : name));
  return Object.assign({}, ...parts);
}

function rows() {
  const builds = seen.filter(({ kind }) => kind === 'upgrade');
  const pairsOf = (/** @type {string} */ kind) =>
    seen.flatMap((each) => {
      const reference = each.kind === kind && seen.find(({ id }) => id === each.reference);
      return reference ? [/** @type {[Seen, Seen]} */ ([reference, each])] : [];
    });
  const [same, different] = [pairsOf('same'), pairsOf('different')];
  const upgrades = builds.flatMap((newer, at) =>
    builds.slice(0, at).map((older) => /** @type {[Seen, Seen]} */ ([older, newer])),
  );
  return Object.keys(libraries).map((name) => {
    const paths = [...new Set(seen.flatMap(({ components }) => Object.keys(components[name] ?? {})))];
    const [ofSame = [], ofUpgrades = [], ofDifferent = []] = [same, upgrades, different].map((pairs) =>
      pairs.map(([a, b]) => new Set(paths.filter((path) => a.components[name]?.[path] !== b.components[name]?.[path]))),
    );
    const kept = bestOf(paths, [ofSame, ofUpgrades, ofDifferent]);
    console.error(`${name}: ${kept.join(', ')}`);
    const [isSame, isUpgrade, isDifferent] = [ofSame, ofUpgrades, ofDifferent].map(
      (moved) => `${moved.filter((set) => !kept.some((path) => set.has(path))).length}`,
    );
    return [
      name,
      `${kept.length} of ${paths.length}`,
      `${isSame}/${same.length}`,
      `${isUpgrade}/${upgrades.length}`,
      `${different.length - Number(isDifferent)}/${different.length}`,
    ];
  });
}

/**
 * Starts with the components that move in no case of one device and between no two builds. Then adds the component that
 * most raises the sum of the three shares, until none does.
 *
 * @param {readonly string[]} paths
 * @param {readonly Set<string>[][]} moved What moved in each pair: one device, two builds, two devices.
 */
function bestOf(paths, [same = [], upgrades = [], different = []]) {
  const shareOf = (/** @type {readonly Set<string>[]} */ pairs, /** @type {readonly string[]} */ kept) =>
    pairs.length === 0 ? 0 : pairs.filter((set) => kept.some((path) => set.has(path))).length / pairs.length;
  const score = (/** @type {readonly string[]} */ kept) =>
    shareOf(different, kept) - shareOf(same, kept) - shareOf(upgrades, kept);
  let kept = paths.filter((path) => ![...same, ...upgrades].some((set) => set.has(path)));
  for (;;) {
    const wider = paths.filter((path) => !kept.includes(path)).map((path) => [...kept, path]);
    const best = wider.sort((a, b) => score(b) - score(a))[0];
    if (!best || score(best) <= score(kept)) return kept;
    kept = best;
  }
}
