// Writes docs/facets.md from the built package and the docstrings of the readings; with --check only compares.
//   node scripts/facets-doc.mjs [--check]
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

const root = new URL('..', import.meta.url);
const target = new URL('docs/facets.md', root);
const door = await import(new URL('dist/fingerprint.js', root).href).catch((error) => {
  console.error(
    `docs/facets.md is made from dist/fingerprint.js, which does not load: build first. (${error.message})`,
  );
  process.exit(1);
});
const { expectedDrift, facetGroups, facets, formatVersion, parse, readIntegrity, unreadable } = door;

const groupMeanings = {
  hardware: 'another machine or another browser family, and little else',
  software: 'an update of browser, system or fonts',
  setting: "travel, another monitor, the user's choices",
};

const integrityMeanings = {
  webdriver: 'The browser says itself that it is driven (`navigator.webdriver`).',
  headless_user_agent: 'The user agent calls itself headless.',
  driver_traces: 'A name that driving tools leave behind stands on `window` or `document`.',
  proxied_function: 'A native function is a proxy: its prototype could be made its own heir.',
  answers_strangers: 'A native getter answers for an object that is none of its kind.',
  two_answers: 'A value is another one when its native getter is called with an argument.',
  resolution_contradiction: '`devicePixelRatio` is not what media queries know.',
  engine_contradiction: 'The user agent names another engine than the one that runs.',
  system_contradiction: 'The user agent names another system than `navigator.platform`.',
  worker_contradiction: 'A worker says otherwise than the page. Only with `workerUrl`.',
  canvas_noise:
    'Pixels do not come back as they were put. Some browsers do this for everybody: no tampering by itself.',
  audio_noise: 'Samples do not come back as they were made. Some browsers do this for everybody, too.',
  inspected: 'A debugger describes what goes to the console, as those of drivers do. Open developer tools do, too.',
  scripted_function: 'A native function has a source: it was replaced by one of a script.',
};

const page = writePage();
if (!process.argv.includes('--check')) {
  mkdirSync(new URL('.', target), { recursive: true });
  writeFileSync(target, page);
  console.log('Wrote docs/facets.md.');
} else if (existsSync(target) && readFileSync(target, 'utf8') === page) {
  console.log('docs/facets.md is up to date.');
} else {
  console.error('docs/facets.md is not what the facet table and the docstrings say now: run `npm run docs`.');
  process.exitCode = 1;
}

function writePage() {
  const files = readingFiles();
  const example = exampleFingerprint();
  const [version, descriptor, ...rest] = example.split('.');
  const integrity = rest.pop();
  const members = facets.flatMap((facet) => facet.members);
  const others = Object.keys(files).filter((name) => !members.includes(name));
  return `# Facets

<!-- Written by scripts/facets-doc.mjs from src/fingerprint and the docstrings in src/collector/readings. Do not edit. -->

## What a fingerprint looks like

\`\`\`
${example}
\`\`\`

${example.length} characters, parted by dots:

| part | here | what it is |
|---|---|---|
| version | \`${version}\` | the format's version |
| descriptor | \`${descriptor}\` | ${describe(example)}: kind, system, browser family, major version |
${facetGroups.map((group, index) => `| ${group} | \`${rest[index]}\` | ${countOf(group)} facets that change with ${groupMeanings[group]} |`).join('\n')}
| integrity | \`${integrity}\` | evidence of automation and tampering, as bits |

Each facet is a digest of 24 bits, written as four base64url characters, in the order of the table below. It is made of the
\`scope\` option, the facet's name and its readings, so two facets with equal readings look different, and so do the
fingerprints of one browser under two scopes. \`${unreadable}\` stands for a facet that could not be read, was blocked, took too
long or was noise: it is evidence neither for nor against.

Two fingerprints say the same when their descriptors are equal and no facet that is readable in both differs. Integrity
takes no part in that, nor in \`compare\`.

The order of groups, facets and readings is the format: a change of it is a new version.

## Facets

| group | | facet | readings | changes with |
|---|---|---|---|---|
${facets.map(facetRow).join('\n')}

## Descriptor

| place | letters |
|---|---|
| 1, kind | ${lettersOf('kind', (letter) => `${letter}lc1`)} |
| 2, system | ${lettersOf('os', (letter) => `d${letter}c1`)} |
| 3, browser family | ${lettersOf('browser', (letter) => `dl${letter}1`)} |
| from 4 on | major version of the browser, 0 where it could not be read |

A letter that is not here reads as unknown.

## Readings

${members.map((name) => `- **${name}** – ${descriptionOf(name, files)}`).join('\n')}

These take part in no facet; integrity is judged by them:

${others.map((name) => `- **${name}** – ${descriptionOf(name, files)}`).join('\n')}

## Integrity

Evidence, not a verdict. It is made in the page, so a bit that is set means something, and a clean facet proves nothing.

| bit | name | meaning |
|---|---|---|
${readIntegrity(0xffffff).map(integrityRow).join('\n')}
`;
}

/** A fingerprint with made-up digests, so that the example follows the table. */
function exampleFingerprint() {
  const groups = facetGroups.map((group) =>
    facets
      .filter((facet) => facet.group === group)
      // Firefox does not tell how much memory there is, and its codecs are not asked for.
      .map(({ name }) =>
        name === 'memory' || name === 'media'
          ? unreadable
          : createHash('sha256').update(name).digest('base64url').slice(0, 4),
      )
      .join(''),
  );
  const example = [formatVersion, 'dlf140', ...groups, 'AAAA'].join('.');
  return parse(example)
    ? example
    : fail(`The example ${example} does not parse: the facet table and parse() disagree.`);
}

function describe(fingerprint) {
  const { kind, os, browser, browserVersion } = parse(fingerprint).descriptor;
  return `${kind}, ${os}, ${browser}, ${browserVersion}`;
}

function countOf(group) {
  return facets.filter((facet) => facet.group === group).length;
}

function facetRow({ group, name, members }, index) {
  return `| ${group} | ${index + 1} | \`${name}\` | ${members.join(', ')} | ${expectedDrift[name]} |`;
}

function integrityRow(name, index) {
  const meaning =
    integrityMeanings[name] ?? fail(`scripts/facets-doc.mjs has no meaning for the integrity bit ${name}.`);
  return `| ${index} | \`${name}\` | ${meaning} |`;
}

/** Asks parse() about every letter, since it is the one place that knows them. */
function lettersOf(part, descriptorWith) {
  const digests = facetGroups.map((group) => unreadable.repeat(countOf(group))).join('.');
  const known = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) => {
    const parsed = parse(`${formatVersion}.${descriptorWith(letter)}.${digests}.AAAA`);
    const meaning = parsed?.descriptor[part] ?? fail('parse() does not take a fingerprint without readable facets.');
    return meaning === 'unknown' ? [] : [`\`${letter}\` ${meaning}`];
  });
  return known.join(', ');
}

/** The file of each reading, by the reading's name, from the imports and the table of src/collector/registry.ts. */
function readingFiles() {
  const source = sourceFile('src/collector/registry.ts');
  const paths = {};
  const entries = {};
  const visit = (node) => {
    if (ts.isImportDeclaration(node) && node.moduleSpecifier.text.startsWith('./readings/')) {
      const path = `src/collector/${node.moduleSpecifier.text.slice(2).replace(/\.js$/, '.ts')}`;
      for (const { name } of node.importClause.namedBindings.elements) paths[name.text] = { path, exported: name.text };
    }
    if (ts.isVariableDeclaration(node) && node.name.text === 'registry') {
      for (const property of node.initializer.properties) {
        entries[property.name.text] = property.initializer?.text ?? property.name.text;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return Object.fromEntries(Object.entries(entries).map(([name, exported]) => [name, paths[exported]]));
}

/** The first paragraph of the docstring of a reading's function. */
function descriptionOf(name, files) {
  const { path, exported } = files[name] ?? fail(`src/collector/registry.ts has no reading "${name}".`);
  const declaration = sourceFile(path).statements.find(
    (node) => ts.isFunctionDeclaration(node) && node.name?.text === exported,
  );
  const comment = declaration && ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(declaration)[0]?.comment);
  if (!comment) fail(`${path} has no docstring on its function ${exported}().`);
  return comment
    .split(/\n\s*\n/)[0]
    .replace(/\s+/g, ' ')
    .trim();
}

function sourceFile(path) {
  return ts.createSourceFile(path, readFileSync(new URL(path, root), 'utf8'), ts.ScriptTarget.Latest, true);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
