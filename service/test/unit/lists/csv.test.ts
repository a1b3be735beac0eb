import { expect, test } from 'vitest';
import { readListCsv, writeListCsv } from '../../../src/resources/lists/rules/csv.js';
import { now } from '../evaluation/facts.js';

const header = 'kind,value,effect,note,expires_at';
const written = { _id: 'id', created_by: 'command line', created_at: now.toISOString() };

test('what is written can be read, and cannot run as a formula in a spreadsheet', () => {
  const notes = ['=1+1', '@sum', '+1', '-1', 'with "quotes", and\nlines', "it's"];
  const entries = notes.map(
    (note, at) => ({ ...written, kind: 'user', effect: 'block', value: `=u${at}`, note }) as const,
  );
  const text = writeListCsv(entries);
  expect(text).not.toMatch(/(^|,|")[=+@-]/m);
  const { entries: read, problems } = readListCsv(text, now);
  expect(problems).toEqual([]);
  expect(read.map(({ note, value }) => [value, note])).toEqual(notes.map((note, at) => [`=u${at}`, note]));
});

test('spaces around the ID of a user are kept, because it may be another user without them', () => {
  const entry = { ...written, kind: 'user', effect: 'block', value: ' ada ' } as const;
  const text = writeListCsv([entry]);
  expect(readListCsv(text, now).entries.map(({ value }) => value)).toEqual([' ada ']);
  expect(readListCsv(text.replaceAll('"', ''), now).entries.map(({ value }) => value)).toEqual(['ada']);
});

test('an expiry is kept', () => {
  const expires_at = '2030-01-02T03:04:05.000Z';
  const entry = { ...written, kind: 'country', effect: 'review', value: 'DE', expires_at } as const;
  expect(readListCsv(writeListCsv([entry]), now).entries).toEqual([
    { kind: 'country', effect: 'review', value: 'DE', note: undefined, expiresAt: new Date(expires_at) },
  ]);
});

test.each([
  ['', 'Line 1: The first line must name the columns: kind,value,effect,note,expires_at'],
  ['kind,value,effect,color\n', 'Line 1: The first line must name the columns: kind,value,effect,note,expires_at'],
  [`${header}\nuser,ada,block\n`, 'Line 2: it has 3 values, and the first line has 5'],
  [
    `${header}\nuser,ada,block,,\nperson,ada,block,,\n`,
    'Line 3: kind must be one of: device, hardware, user, address, asn, country, email_domain',
  ],
  [`${header}\nuser,ada,deny,,\n`, 'Line 2: effect must be one of: block, allow, review'],
  ...['soon', '1/31/2999', '2999-01-31T09:30:00', '+200000-01-01T00:00:00Z'].map((expiry) => [
    `${header}\nuser,ada,block,,${expiry}\n`,
    'Line 2: expires_at must be a date (2026-01-31) or a timestamp with a time zone (2026-01-31T09:30:00Z)',
  ]),
  [`${header}\nuser,ada,block,,2020-01-01\n`, 'Line 2: expires_at must be in the future'],
  [`${header}\nuser,ada,block,,\n\nuser,ada,allow,,\n`, 'Line 4: value is named twice'],
  [`${header}\nuser,"ada,block,,\n`, 'Line 2: quotation marks do not match'],
])('%j is refused', (text, problem) => {
  expect(readListCsv(text, now).problems).toEqual([problem]);
});
