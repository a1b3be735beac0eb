// Finds the tests that a change can affect, for `npm test -- --changed`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

const SOURCE_FOLDERS = ['src', 'service/src', 'service/test', 'test', 'demo', 'scripts', 'site', 'bench'];
const SERVICE = 'service/src';
/** Through this file the tests import single names of the whole service. */
const ENTRY = 'service/src/testing.ts';
/** Files that everything depends on. */
const GLOBAL =
  /^(?:scripts\/|\.ci\/)|(?:^|\/)(?:package(?:-lock)?\.json|tsconfig[^/]*\.json|vitest\.config\.ts|rollup\.config\.mjs)$/;
/** Folders that tests build, install or run. */
const USED_AS_A_WHOLE = ['demo', 'site', 'examples', 'deploy', 'bench'];
/** Tests of what holds for all endpoints. */
const contracts = ['access', 'openapi'].map((name) => `service/test/http/${name}.test.ts`);
const isTest = (path) => path.endsWith('.test.ts');
const isRoute = (path) => path.startsWith(SERVICE) && /(?:^|[/-])routes?\.ts$/.test(path);

/**
 * Returns the paths of the test files that a change of these files can affect, or undefined for all.
 *
 * A test is affected if it or what it imports has changed, or if it names the file. A change in a feature of the service
 * would affect every test over HTTP that way, because each of them starts the whole service. For such a change, those are
 * chosen that are named after the feature or import its files, and those of what holds for all endpoints. Other parts of
 * the service, such as the database, affect all of them.
 *
 * @param {string} root
 * @param {readonly string[]} changed Paths relative to the root.
 */
export function affectedTests(root, changed) {
  if (changed.some((path) => GLOBAL.test(path))) return undefined;
  const project = readProject(root);
  const tests = [...project.texts.keys()].filter(isTest);
  return tests.filter((test) => changed.some((path) => isAffected(project, test, path))).sort();
}

/** @typedef {{ texts: Map<string, string>, imports: Map<string, string[]> }} Project */

/** @param {Project} project */
function isAffected(project, test, changed) {
  if (test === changed) return true;
  const [top = ''] = changed.split('/');
  // The service, the browser's tests and the package's use the built package.
  if (top === 'src' && !test.startsWith('test/unit/')) return true;
  if (test.startsWith('service/test/http/') && changed.startsWith(`${SERVICE}/`)) {
    return testsFeature(project, test, changed);
  }
  const used = closureOf(project, test);
  if (used.has(changed)) return true;
  const texts = [...used]
    .filter((path) => /^(?:service\/)?test\//.test(path))
    .map((path) => project.texts.get(path) ?? '');
  if (texts.some((text) => reads(text, changed))) return true;
  return (
    USED_AS_A_WHOLE.includes(top) && (basename(test).includes(top) || texts.some((text) => text.includes(`${top}/`)))
  );
}

/** Whether a test or its helper names a file, or reads all pages of the docs. */
function reads(text, path) {
  return text.includes(basename(path)) || (path.endsWith('.md') && /namesIn\('docs\/|samplesIn\(/.test(text));
}

/** @param {Project} project */
function testsFeature(project, test, changed) {
  const folders = featureOf(project, changed);
  if (!folders.length) return closureOf(project, test).has(changed);
  if (contracts.includes(test)) return true;
  const words = folders.map((folder) => basename(folder).replace(/s$/, ''));
  const imported = project.imports.get(test) ?? [];
  return (
    words.some((word) => basename(test).includes(word)) ||
    imported.some((path) => folders.some((folder) => path.startsWith(`${folder}/`)))
  );
}

/**
 * Returns the folders of the feature of the service that a file belongs to: the nearest folder with routes, or one with
 * routes elsewhere of the same name. Empty if there is none.
 *
 * @param {Project} project
 */
function featureOf({ texts }, changed) {
  const routes = [...texts.keys()].filter(isRoute).map((path) => dirname(path));
  for (let folder = dirname(changed); folder.length > SERVICE.length; folder = dirname(folder)) {
    if (routes.includes(folder)) return [folder];
    const elsewhere = routes.filter((path) => basename(path) === basename(folder));
    if (elsewhere.length) return [folder, ...elsewhere];
  }
  return [];
}

/** Returns the files that a file imports, also indirectly; through the entry only what it names. */
function closureOf({ imports }, path) {
  const found = new Set([path]);
  for (const each of found) if (each !== ENTRY) for (const imported of imports.get(each) ?? []) found.add(imported);
  return found;
}

/** @returns {Project} */
function readProject(root) {
  const texts = new Map();
  for (const folder of SOURCE_FOLDERS) {
    for (const path of filesIn(root, folder)) texts.set(path, readFileSync(join(root, path), 'utf8'));
  }
  const exported = exportsOf(texts);
  const imports = new Map([...texts].map(([path, text]) => [path, importsOf(path, text, { texts, exported })]));
  return { texts, imports };
}

function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : filesIn(root, path);
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : [];
  });
}

function importsOf(path, text, { texts, exported }) {
  const specifiers = [...text.matchAll(/(?:\{([^{}]*)\}\s*from|\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g)];
  return specifiers.flatMap(([, names, to = '']) => {
    const target = resolve(path, to, texts);
    if (target !== ENTRY || names === undefined) return target ?? [];
    const chosen = namesIn(names);
    return [ENTRY, ...chosen.flatMap((name) => exported.get(name) ?? [])];
  });
}

function resolve(path, to, texts) {
  const target = normalize(join(dirname(path), to));
  const candidates = [target, target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx'), `${target}.ts`];
  return candidates.find((each) => texts.has(each));
}

/** Returns the file of each name that the entry exports. */
function exportsOf(texts) {
  const found = [...(texts.get(ENTRY) ?? '').matchAll(/export (?:type )?\{([^{}]*)\} from '([^']+)'/g)];
  return new Map(
    found.flatMap(([, names = '', to = '']) => namesIn(names).map((name) => [name, resolve(ENTRY, to, texts)])),
  );
}

/** Returns the names of an import or export, without those that it renames them to. */
function namesIn(list) {
  return [...list.matchAll(/(?:^|,)\s*(?:type )?(\w+)/g)].map(([, name]) => name);
}
