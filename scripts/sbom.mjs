// Checks the licences of what the package and the service depend on at run time, and describes them.
//   node scripts/sbom.mjs [folder]     with a folder, writes a software bill of materials (CycloneDX) for each into it
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
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
const parts = { whorl: ['--workspaces=false'], 'whorl-service': ['--workspace', 'service'] };

const root = fileURLToPath(new URL('..', import.meta.url));
const [folder] = process.argv.slice(2);
const refused = [];
for (const [name, options] of Object.entries(parts)) {
  const document = describe(options);
  const components = document.components.filter(({ name: each }) => !each.startsWith('whorl'));
  for (const component of components) {
    const licences = licencesOf(component);
    if (!isAllowed(licences)) refused.push(`${component.name} ${component.version}: ${licences || 'no licence'}`);
  }
  console.log(`${name}: ${components.length} packages at run time`);
  if (folder) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.cdx.json`), `${JSON.stringify(document, undefined, 2)}\n`);
  }
}
if (refused.length) {
  console.error(`These licences are not in the list of scripts/sbom.mjs:\n${[...new Set(refused)].join('\n')}`);
  process.exitCode = 1;
}

function describe(options) {
  const args = ['sbom', '--omit=dev', '--omit=peer', '--sbom-format=cyclonedx', '--sbom-type=library', ...options];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  return JSON.parse(stdout);
}

function licencesOf({ licenses = [] }) {
  return licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(' AND ');
}

/** Of an expression with OR, one licence is enough. */
function isAllowed(expression) {
  const text = expression.replace(/[()]/g, '');
  return text.split(' AND ').every((each) => each.split(' OR ').some((licence) => allowed.includes(licence)));
}
