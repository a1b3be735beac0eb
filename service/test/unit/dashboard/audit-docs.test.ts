import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { auditKinds } from '../../../src/resources/audit/rules/audit.js';

test('docs/dashboard.md names each kind of entry in the audit log, once', () => {
  const page = readFileSync(new URL('../../../../docs/dashboard.md', import.meta.url), 'utf8');
  const [, list = ''] = /^The kinds, and what each records .*?\n\n(.*?)\n\n/ms.exec(page) ?? [];
  // A kind stands before the colon of its line, and a value such as `totp` after it.
  const named = list.split(/^- /m).flatMap((line) => [...(line.split(':')[0] ?? '').matchAll(/`(\w+)`/g)]);
  expect(named.map(([, kind]) => kind).sort()).toEqual(Object.keys(auditKinds).sort());
});
