// Writes docs/facets.md from the built package and the docstrings of the readings. With --check, only compares.
//   node scripts/facets-doc.mjs [--check]
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

const root = new URL('..', import.meta.url);
const target = new URL('docs/facets.md', root);
const entryPoint = await import(new URL('dist/fingerprint.js', root).href).catch((error) => {
  console.error(
    `docs/facets.md is generated from dist/fingerprint.js, which could not be loaded. Run "npm run build" first. (${error.message})`,
  );
  process.exit(1);
});
const { expectedDrift, facetGroups, facets, formatVersion, parse, readIntegrity, unreadable } = entryPoint;

const groupMeanings = {
  hardware: 'another machine or another browser family, and little else',
  software: 'an update of browser, system or fonts',
  setting: "travel, another monitor, the user's choices",
};

const integrityMeanings = {
  webdriver: 'The browser reports that it is automated (`navigator.webdriver`).',
  headless_user_agent: 'The user agent names a headless browser.',
  driver_traces:
    '`window` or `document` has a name that automation tools leave behind, or the screen is emulated in a larger window.',
  proxied_function: 'A native function is a proxy: it accepts a prototype that inherits from it.',
  accepts_wrong_receiver: 'A native getter returns a value for an object of another interface.',
  inconsistent_getter: 'A value changes when its native getter is called with an argument.',
  resolution_contradiction: '`devicePixelRatio` contradicts media queries.',
  engine_contradiction: 'The user agent names another engine than the actual one.',
  system_contradiction: 'The user agent names another system than `navigator.platform`.',
  worker_contradiction: 'A worker and the page report different values. Only with `workerUrl`.',
  canvas_noise: 'Pixels are not read back as they were written. Some browsers do this for everyone.',
  audio_noise: 'Audio samples are not read back as they were created. Some browsers do this for everyone.',
  inspected: 'A debugger serialises console messages, as automation tools and open developer tools do.',
  scripted_function: 'A native function shows its source: a script has replaced it.',
  unreadable_check: 'A check of automation or tampering threw, or lacked what every engine allows.',
};

const page = writePage();
if (!process.argv.includes('--check')) {
  mkdirSync(new URL('.', target), { recursive: true });
  writeFileSync(target, page);
  console.log('Wrote docs/facets.md.');
} else if (existsSync(target) && readFileSync(target, 'utf8') === page) {
  console.log('docs/facets.md is up to date.');
} else {
  console.error('docs/facets.md does not match the facet table and the docstrings. Run `npm run docs`.');
  process.exitCode = 1;
}

function writePage() {
  const files = readingFiles();
  const meaningOf = (name) => descriptionOf(name, files).replace(/^Reads (.)/, (_, first) => first.toUpperCase());
  const example = exampleFingerprint();
  const [version, descriptor, ...rest] = example.split('.');
  const integrity = rest.pop();
  const members = facets.flatMap((facet) => facet.members);
  const others = Object.keys(files).filter((name) => !members.includes(name));
  return `# Facets

<!-- Written by scripts/facets-doc.mjs from src/fingerprint and the docstrings in src/collector/readings. Do not edit. -->

What is in a fingerprint? It is a text of a version, a descriptor, ${facets.length} facets in three groups, and an integrity facet.

## What a fingerprint looks like

\`\`\`
${example}
\`\`\`

${example.length} characters, separated by dots:

| part | example | meaning |
|---|---|---|
| version | \`${version}\` | version of the format |
| descriptor | \`${descriptor}\` | ${describe(example)}: kind, system, browser family, major version |
${facetGroups.map((group, index) => `| ${group} | \`${rest[index]}\` | ${countOf(group)} facets that change with ${groupMeanings[group]} |`).join('\n')}
| integrity | \`${integrity}\` | evidence of automation and tampering, as bits |

Each facet is a digest of 24 bits, written as four base64url characters, in the order of the table below. It covers the
\`scope\` option, the facet's name and its readings, so the fingerprints of one browser under two scopes differ in every facet.
\`${unreadable}\` stands for a facet that could not be read, was blocked, timed out or was noise. It is no evidence for or against.

Two fingerprints agree if their descriptors are equal and no facet that is readable in both differs. Integrity is ignored,
also by \`compare\`.

## Facets

A facet has one or two readings: measurements, which \`getComponents\` returns by name. A reading without a name has its facet's. The groups are ${rangesOfGroups()}.

| | facet | readings | changes with |
|---|---|---|---|
${facets.map((facet, index) => facetRow(facet, index, meaningOf)).join('\n')}

These readings belong to no facet. The integrity bits are derived from them:

${others.map((name) => `- **${name}**: ${meaningOf(name)}`).join('\n')}

## Descriptor

| place | letters |
|---|---|
| 1, kind | ${lettersOf('kind', (letter) => `${letter}lc1`)} |
| 2, system | ${lettersOf('os', (letter) => `d${letter}c1`)} |
| 3, browser family | ${lettersOf('browser', (letter) => `dl${letter}1`)} |
| 4 and later | major version of the browser, or 0 if it could not be read |

Any other letter is read as unknown.

## Integrity

A set bit is evidence. A clean facet proves nothing, because the page computes it.

| bit | name | meaning |
|---|---|---|
${readIntegrity(0xffffff).map(integrityRow).join('\n')}
`;
}

/** Returns a fingerprint with invented digests, so that the example follows the table. */
function exampleFingerprint() {
  const groups = facetGroups.map((group) =>
    facets
      .filter((facet) => facet.group === group)
      // Firefox does not report the amount of memory, and its codecs are not read.
      .map(({ name }) =>
        ['memory', 'memoryFrom8', 'media'].includes(name)
          ? unreadable
          : createHash('sha256').update(name).digest('base64url').slice(0, 4),
      )
      .join(''),
  );
  const example = [formatVersion, 'dlf140', ...groups, 'AAAA'].join('.');
  return parse(example)
    ? example
    : fail(`The example ${example} cannot be parsed: the facet table and parse() disagree.`);
}

function describe(fingerprint) {
  const { kind, os, browser, browserVersion } = parse(fingerprint).descriptor;
  return `${kind}, ${os}, ${browser}, ${browserVersion}`;
}

function countOf(group) {
  return facets.filter((facet) => facet.group === group).length;
}

/** Returns the groups with the numbers of their facets in the table. */
function rangesOfGroups() {
  const ranges = facetGroups.map((group) => {
    const first = facets.findIndex((facet) => facet.group === group) + 1;
    return `${group} (${first} to ${first + countOf(group) - 1})`;
  });
  return `${ranges.slice(0, -1).join(', ')} and ${ranges.at(-1)}`;
}

function facetRow({ name, members }, index, meaningOf) {
  const nameOf = (member) => (member === name ? '' : `**${member}**: `);
  const readings = members.map((member) => nameOf(member) + meaningOf(member)).join(' ');
  return `| ${index + 1} | \`${name}\` | ${readings} | ${expectedDrift[name]} |`;
}

function integrityRow(name, index) {
  const meaning =
    integrityMeanings[name] ?? fail(`scripts/facets-doc.mjs has no meaning for the integrity bit ${name}.`);
  return `| ${index} | \`${name}\` | ${meaning} |`;
}

/** Returns the meaning of each letter by calling parse(), the only place that defines them. */
function lettersOf(part, descriptorWith) {
  const digests = facetGroups.map((group) => unreadable.repeat(countOf(group))).join('.');
  const known = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) => {
    const parsed = parse(`${formatVersion}.${descriptorWith(letter)}.${digests}.AAAA`);
    const meaning = parsed?.descriptor[part] ?? fail('parse() rejects a fingerprint without readable facets.');
    return meaning === 'unknown' ? [] : [`\`${letter}\` ${meaning}`];
  });
  return known.join(', ');
}

/** Returns the file of each reading by name, from the imports and the table of src/collector/registry.ts. */
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

/** Returns the first paragraph of the docstring of a reading's function. */
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
