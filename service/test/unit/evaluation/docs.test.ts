import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Cell, cellInWords, policy } from '../../../src/evaluation/rules/policy.js';
import { columns, effects, reasons } from '../../../src/evaluation/rules/vocabulary.js';
import { settingsSchema } from '../../../src/projects/rules/settings.js';

const verdicts = read('verdicts.md');
const uses = ['account-takeover', 'account-sharing', 'multiple-accounts', 'referral-fraud', 'fake-accounts'].map(
  (use) => read(`uses/${use}.md`),
);

function read(page: string): string {
  return readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8');
}

/** A cell of the policy as the page has it: `report; corroborated: restrict; proven, 3 or more: deny`. */
function inWords(cell: Cell): string {
  return cellInWords(cell).replace(/^off/, '–');
}

/** The cells of a row of a table that starts with this name. */
function rowOf(name: string): string[] | undefined {
  const line = verdicts.split('\n').find((text) => text.startsWith(`| \`${name}\` |`));
  return line?.split('|').map((text) => text.trim());
}

describe('docs/verdicts.md', () => {
  test.each(reasons)('shows what %s does, as the policy has it', (reason) => {
    expect(rowOf(reason)?.slice(3, 6)).toEqual(columns.map((column) => inWords(policy[reason][column])));
  });

  test('shows the reasons in the order in which they are named', () => {
    const positions = reasons.map((reason) => verdicts.indexOf(`\n| \`${reason}\` |`));
    expect(positions).toEqual([...positions].sort((left, right) => left - right));
  });

  test.each(['allow', ...effects.slice(2)])('says what %s asks for', (verdict) => {
    expect(rowOf(verdict)).toBeDefined();
  });

  test('shows settings that there are', () => {
    const section = verdicts.split('\n## ').find((text) => text.startsWith('What a project can change')) ?? '';
    const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell ?? '');
    const names = cells.flatMap((cell) => cell.replaceAll('`', '').split(', '));
    expect(names.length).toBeGreaterThan(8);
    expect(Object.keys(settingsSchema.shape)).toEqual(expect.arrayContaining(names));
  });

  test('its example of a policy is one', () => {
    const example = /```json\n(.*?)```/s.exec(verdicts)?.[1] ?? '';
    expect(settingsSchema.parse(JSON.parse(example)).policy).toHaveProperty('login.tampering', 'challenge');
  });
});

test.each(reasons.filter((reason) => reason !== 'blocked'))('docs/uses/ says what %s is for', (reason) => {
  expect(uses.join()).toContain(`\`${reason}\``);
});
