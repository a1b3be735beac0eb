// Checks the licences of what the package and the service depend on at run time, and describes them.
//   node scripts/sbom.mjs [folder]     with a folder, writes a software bill of materials (CycloneDX) for each into it
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Licences that permit use, change and distribution with nothing but a notice. The data sets have the last two. */
const allowed = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'CC-BY-4.0',
];
/** Packages whose package.json names a file instead of a licence. */
const licencesInFiles = { '@ip-location-db/asn': 'CC-BY-4.0' };
/** Development dependencies that rollup puts into dist/server.js. */
const bundled = { whorl: ['jose', 'structured-headers'] };

const root = fileURLToPath(new URL('..', import.meta.url));
const [folder] = process.argv.slice(2);
const everything = describe();
const refused = [];
for (const file of ['package.json', 'service/package.json']) {
  const { name, version, dependencies } = JSON.parse(readFileSync(root + file, 'utf8'));
  const document = reduced(`${name}@${version}`, [...Object.keys(dependencies), ...(bundled[name] ?? [])]);
  for (const component of document.components) {
    const licences = licencesOf(component);
    if (!isAllowed(licences)) refused.push(`${component.name} ${component.version}: ${licences || 'no licence'}`);
  }
  console.log(`${name}: ${document.components.length} packages at run time`);
  if (folder) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.cdx.json`), `${JSON.stringify(document, undefined, 2)}\n`);
  }
}
if (refused.length) {
  console.error(`These licences are not in the list of scripts/sbom.mjs:\n${[...new Set(refused)].join('\n')}`);
  process.exitCode = 1;
}

/** `--omit=dev` would omit packages that one workspace needs at run time, and another for development. */
function describe() {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=library'];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  return JSON.parse(stdout);
}

/** Returns the document of one part: what it depends on, directly or through others. */
function reduced(part, direct) {
  const edges = new Map(everything.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const nameOf = (ref) => ref.slice(0, ref.lastIndexOf('@'));
  const first = edges.get(part)?.filter((ref) => direct.includes(nameOf(ref))) ?? [];
  const missing = direct.filter((name) => !first.some((ref) => nameOf(ref) === name));
  if (missing.length) throw new Error(`npm sbom does not list ${missing.join(', ')}: run npm ci.`);
  const own = new Set(['whorl', 'whorl-service']);
  const found = new Set(first.filter((ref) => !own.has(nameOf(ref))));
  for (const ref of found) for (const next of edges.get(ref) ?? []) found.add(next);
  const { metadata, components, dependencies, ...rest } = everything;
  return {
    ...rest,
    metadata: {
      ...metadata,
      component: {
        'bom-ref': part,
        type: 'library',
        name: nameOf(part),
        version: part.slice(part.lastIndexOf('@') + 1),
      },
    },
    components: components.filter((component) => found.has(component['bom-ref'])),
    dependencies: [{ ref: part, dependsOn: first }, ...dependencies.filter(({ ref }) => found.has(ref))],
  };
}

function licencesOf({ name, licenses = [] }) {
  return (
    licencesInFiles[name] ??
    licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(' AND ')
  );
}

/** Of an expression with OR, one licence is enough. */
function isAllowed(expression) {
  const text = expression.replace(/[()]/g, '');
  return text.split(' AND ').every((each) => each.split(' OR ').some((licence) => allowed.includes(licence)));
}
