import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reasons } from 'whorl/wire';
import { effects } from '../../../src/ground/vocabulary.js';
import { settingsSchema } from '../../../src/resources/projects/rules/settings.js';
import { writtenChannelWords, writtenReasonWords, writtenVerdicts } from '../../../src/server/written-docs.js';

const verdicts = read('verdicts.md');
const uses = ['account-takeover', 'account-sharing', 'multiple-accounts', 'referral-fraud', 'fake-accounts'].map(
  (use) => read(`uses/${use}.md`),
);

function read(page: string): string {
  return readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8');
}

/** Returns the cells of the table row that starts with this name. */
function rowOf(name: string): string[] | undefined {
  const line = verdicts.split('\n').find((text) => text.startsWith(`| \`${name}\` |`));
  return line?.split('|').map((text) => text.trim());
}

describe('docs/verdicts.md', () => {
  test('has the table of all reasons (npm run --workspace service openapi)', () => {
    expect(verdicts).toBe(writtenVerdicts(verdicts));
  });

  test.each(['allow', ...effects.slice(2)])('describes the verdict %s', (verdict) => {
    expect(rowOf(verdict)).toBeDefined();
  });

  test('mentions only existing settings', () => {
    const section = verdicts.split('\n## ').find((text) => text.startsWith('What a project can change')) ?? '';
    const items = [...section.matchAll(/^- (`.*?`): /gm)].map(([, item]) => item ?? '');
    const names = items.flatMap((item) => item.replaceAll('`', '').split(', '));
    expect(names.length).toBeGreaterThan(8);
    expect(Object.keys(settingsSchema.shape)).toEqual(expect.arrayContaining(names));
  });

  test('contains a valid example of a policy', () => {
    const example = /```json\n(\{ "policy".*?)```/s.exec(verdicts)?.[1] ?? '';
    expect(settingsSchema.parse(JSON.parse(example)).policy).toHaveProperty('login.tampering', 'challenge');
  });
});

test.each([
  { file: 'reason-words', written: writtenReasonWords },
  { file: 'channel-words', written: writtenChannelWords },
])('the demo has the words of the service: $file (npm run --workspace service openapi)', ({ file, written }) => {
  const words = readFileSync(new URL(`../../../../demo/src/login/${file}.json`, import.meta.url), 'utf8');
  expect(JSON.parse(words)).toEqual(JSON.parse(written()));
});

test.each(reasons.filter((reason) => reason !== 'blocked'))('docs/uses/ says in a sentence about %s', (reason) => {
  const sentences = uses.join('\n').split(/(?<=[.|:])\s/);
  const about = sentences.filter((sentence) => sentence.includes(`\`${reason}\``));
  const words = about.flatMap((sentence) => sentence.replace(/`[^`]*`/g, '').match(/[a-z]{3,}/gi) ?? []);
  expect(words.length).toBeGreaterThanOrEqual(4);
});
