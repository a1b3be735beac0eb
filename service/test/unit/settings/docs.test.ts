import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkSettings } from '../../../src/resources/projects/rules/project-settings/checks.js';
import { settingNames } from '../../../src/resources/projects/rules/project-settings/fields.js';
import { restId, settingSections } from '../../../src/resources/projects/rules/project-settings/sections.js';
import { settingsSchema } from '../../../src/resources/projects/rules/settings.js';
import { writtenSettings } from '../../../src/server/written-docs.js';

const docs = new URL('../../../../docs/', import.meta.url);
const read = (page: string) => readFileSync(new URL(page, docs), 'utf8');

test('docs/settings.md is up to date (npm run --workspace service openapi)', () => {
  expect(read('settings.md')).toBe(writtenSettings());
});

test('each setting belongs to one section, and has a description', () => {
  const placed = settingSections.filter(({ id }) => id !== restId).flatMap(({ settings }) => settings);
  expect([...placed].sort()).toEqual([...settingNames].sort());
  for (const name of settingNames) expect(settingsSchema.shape[name].description, name).toMatch(/.{20}/);
});

describe('the pages of uses', () => {
  const pages = readdirSync(new URL('uses/', docs));

  test('are all in the index, which has no other links', () => {
    const linked = [...read('uses.md').matchAll(/\]\(uses\/([\w-]+\.md)\)/g)].map(([, page]) => page);
    expect(linked.sort()).toEqual([...pages].sort());
  });

  test.each([...pages.map((page) => `uses/${page}`), 'uses.md'])(
    '%s shows commands that set what can be set',
    (page) => {
      const commands = [...read(page).matchAll(/^whorl-service settings set --project Shop (\w+) (?:'(.*)'|(\S+))$/gm)];
      expect(commands.length).toBeGreaterThan(1);
      for (const [command, name = '', quoted, plain = ''] of commands) {
        const changes = { [name]: JSON.parse(quoted ?? plain) };
        const { error, data } = z.strictObject(settingsSchema.shape).safeParse(changes);
        expect(error, command).toBeUndefined();
        expect(data && checkSettings(data, [name]), command).toEqual([]);
      }
    },
  );

  test.each(pages)('%s names sections of the dashboard', (page) => {
    const text = read(`uses/${page}`);
    const line = /On the dashboard: .*$/m.exec(text)?.[0] ?? '';
    const inBrackets = [...text.matchAll(/\(section \*([^*]+)\*\)/g)].map(([, title]) => title);
    const named = [...[...line.matchAll(/\*([^*]+)\*/g)].map(([, title]) => title), ...inBrackets];
    expect(named.length).toBeGreaterThan(0);
    expect(settingSections.map(({ title }) => title)).toEqual(expect.arrayContaining(named));
  });
});
