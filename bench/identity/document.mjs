import { writeFile } from 'node:fs/promises';
import { versions } from './libraries.mjs';
import { listChanges } from './list-changes.mjs';
import { drawUpgrades } from './picture.mjs';
import { blocksOf, casesOf, columns, facetsOf, measuredLine, summaryOf } from './report.mjs';

/**
 * Writes the generated documentation page and its picture.
 *
 * @param {import('./main.mjs').Results} results
 */
export async function document(results) {
  const blocks = blocksOf(results);
  const upgrades = blocks.find(({ title }) => title === 'any two builds')?.verdicts ?? [];
  const folder = new URL('../../docs/research/', import.meta.url);
  await writeFile(new URL('identity-upgrades.svg', folder), drawUpgrades(upgrades, columns));
  const libraries = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const sections = blocks.map(
    ({ title, verdicts }) =>
      `## ${title[0]?.toUpperCase()}${title.slice(1)}\n\n${casesOf(verdicts, { withPeers: true })}`,
  );
  const leftOut = results.leftOut.map(({ id, reason }) => `- ${id}: ${reason}`);
  await writeFile(
    new URL('identity-cases.md', folder),
    `# Identity: every case

Generated with \`npm run --silent --prefix bench identity -- --docs\`: ${libraries.join(', ')}.
${measuredLine(results)}
[identity.md](identity.md) describes the method, and explains the figures. We wrote the list of cases ourselves:
\`bench/identity/cases.mjs\`. It changes only with a line in [Changes of the list](#changes-of-the-list).

${summaryOf(blocks)}

![Which pairs of Chromium builds each library identifies as one browser](identity-upgrades.svg)

## Facet by facet

${facetsOf(blocks)}

${sections.join('\n\n')}

## Changes of the list

${listChanges()}
${leftOut.length ? `\n## Skipped\n\n${leftOut.join('\n')}\n` : ''}`,
  );
}
