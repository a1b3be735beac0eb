// How well peers would do with the best choice of their components, which FingerprintJS and ThumbmarkJS let a site make.
//   npm run --silent --prefix bench components [-- --only <pattern>] [--markdown]
//   … --from <components.json>…: no browsers, the readings of earlier runs; with --missing, also runs the cases that they lack
// The choice is made with the results in hand, which favours the peers: no site knows them in advance.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from '../cost/bundle.mjs';
import { whorl } from '../cost/libraries.mjs';
import { formatTable } from '../cost/table.mjs';
import { provenance } from '../provenance.mjs';
import { listCases } from './case-list.mjs';
import { chooseComponents } from './choose-components.mjs';
import { runCase } from './run-case.mjs';
import { startServer } from './server.mjs';

/**
 * @typedef {import('./choose-components.mjs').Leaves} Leaves
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
    missing: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});

const { measured, seen: earlier } = await readAll(options.from ?? []);
const isRun = !options.from || options.missing;
const seen = [...earlier, ...(isRun ? await runAndKeep(new RegExp(options.only), earlier) : [])];
const heading = ['', 'components chosen', 'same device', 'any two builds', 'another device', 'ambiguous: the same'];
console.log(formatTable([heading, ...Object.keys(libraries).map(toRow)], { ...options, measured }));
// The browsers' pipes would keep the process alive.
process.exit(0);

/**
 * Returns the readings of earlier runs, and where the first of these come from.
 *
 * @param {readonly string[]} files
 * @returns {Promise<{ measured?: import('../provenance.mjs').Provenance, seen: Seen[] }>}
 */
async function readAll(files) {
  const all = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
  const seen = all.flatMap((each) => each.seen);
  return { measured: all[0]?.measured, seen: [...new Map(seen.map((each) => [each.id, each])).values()] };
}

/** @param {RegExp} pattern @param {readonly Seen[]} earlier */
async function runAndKeep(pattern, earlier) {
  const scripts = { whorl: await readFile(whorl.script, 'utf8') };
  for (const [name, source] of Object.entries(libraries)) {
    const { code } = await bundle({ entry: `${source}\nwindow.run = async () => JSON.stringify(await read());` });
    scripts[name] = `${code}\n(window.identities ??= {})[${JSON.stringify(name)}] = window.run;`;
  }
  const server = await startServer(scripts);
  const all = listCases();
  const isMissing = (/** @type {{ id: string }} */ { id }) => earlier.every((each) => each.id !== id);
  const wanted = all.filter((each) => pattern.test(each.id) && isMissing(each));
  const references = new Set(wanted.map(({ reference }) => reference));
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  await mkdir(folder, { recursive: true });
  const file = `${folder}components-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`;
  /** @type {Seen[]} */
  const results = [];
  for (const each of all.filter((one) => wanted.includes(one) || (references.has(one.id) && isMissing(one)))) {
    try {
      const { peers } = await runCase(each, server);
      const components = Object.entries(peers).map(([name, { hash }]) => [name, readComponents(hash)]);
      const { id, kind, reference } = each;
      results.push({ id, kind, ...(reference && { reference }), components: Object.fromEntries(components) });
      // Written after each case, so that an interrupted run is not lost.
      await writeFile(file, JSON.stringify({ measured: provenance(), seen: results }));
      console.error(id);
    } catch (error) {
      console.error(`${each.id}  failed: ${error}`);
    }
  }
  await server.close();
  console.error(`\nEvery reading: ${file}`);
  return results;
}

/**
 * Returns the components of a page. None if the library failed, or if pages that were read at once differ.
 *
 * @param {string | undefined} text
 * @returns {Leaves}
 */
function readComponents(text) {
  try {
    return leavesOf(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

/** Returns the values by path, because ThumbmarkJS can include a part of a component. @returns {Leaves} */
function leavesOf(/** @type {unknown} */ value, path = '') {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { [path]: JSON.stringify(value) };
  const parts = Object.entries(value).map(([name, part]) => leavesOf(part, path ? `${path}.${name}` : name));
  return Object.assign({}, ...parts);
}

/** @param {string} name */
function toRow(name) {
  const { paths, chosen, counts } = chooseComponents(pairsOf(name));
  console.error(`${name}: ${chosen.join(', ')}`);
  return [
    name,
    `${chosen.length} of ${paths.length}`,
    `${counts.same.equal}/${counts.same.of}`,
    `${counts.upgrade.equal}/${counts.upgrade.of}`,
    `${counts.different.differs}/${counts.different.of}`,
    `${counts.ambiguous.equal}/${counts.ambiguous.of}`,
  ];
}

/** Returns each case with its reference, and each two builds. @param {string} name @returns {import('./choose-components.mjs').Pair[]} */
function pairsOf(name) {
  const leaves = (/** @type {Seen} */ { components }) => components[name] ?? {};
  const cases = seen.flatMap((each) => {
    const { kind } = each;
    const reference = seen.find(({ id }) => id === each.reference);
    const isPaired = kind === 'same' || kind === 'different' || kind === 'ambiguous';
    return reference && isPaired ? [{ kind, a: leaves(reference), b: leaves(each) }] : [];
  });
  const builds = seen.filter(({ kind }) => kind === 'upgrade');
  const upgrades = builds.flatMap((newer, at) =>
    builds
      .slice(0, at)
      .map((older) => ({ kind: /** @type {const} */ ('upgrade'), a: leaves(older), b: leaves(newer) })),
  );
  return [...cases, ...upgrades];
}
