import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { samplesIn } from '../../../test/package/samples.js';
import { createLog, findProject, openService, readCsv, readLines } from '../../src/testing.js';
import { createDatabase, type FreshDatabase } from '../support/databases.js';
import { createOutbox } from '../support/outbox.js';
import { environmentFor, runProcess } from '../support/process.js';
import { configFor } from '../support/service.js';

// Each command is a process. The queries are tested on both databases.
const kind = inject('databases').postgresql ? 'postgresql' : 'embedded';

describe('the command line', () => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await createDatabase(kind);
  });
  afterAll(() => fresh.drop());

  const run = (...args: string[]) => runProcess(args, environmentFor(fresh.options));

  test('imports users from a file, line by line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whorl-import-'));
    const file = join(folder, 'users.ndjson');
    try {
      await run('project', 'create', '--name', 'Import');
      const importFile = () => run('users', 'import', file, '--project', 'Import', '--mode', 'live');
      const lines = [
        '\ufeff{"id":"ada","email":"ada@example.com","phone":null,"trusted_addresses":["198.51.100.7"]}',
        '{"id":"bob","email":"bob at example","phone":"+49 170 7654321"}',
        '',
        '{"id":"cyd","devices":[{"trusted":true}]}',
        '{"id":"dan" "email":"dan@example.com"}',
        '{"id":"eve","emial":"eve@example.com","fay@example.com":1}',
      ];
      await writeFile(file, `${lines.join('\r\n')}\r\n`);
      const first = await importFile();
      expect(first.stdout.split('\n')).toEqual([
        'line 1: created',
        'line 2: created; email is not an email address and was ignored',
        'line 4: failed; devices.0.fingerprint is required',
        'line 5: failed; not valid JSON: comma expected at column 13',
        'line 6: created; emial is not a known field and was ignored; did you mean `email`?; an unknown field was ignored',
        '5 rows: 3 created, 0 updated, 0 unchanged, 2 failed.',
        '',
      ]);
      expect([first.code, first.stderr]).toEqual([
        1,
        '2 rows failed. Correct them and run the import again. Rows that are already stored do not change.\n',
      ]);
      await writeFile(file, `${lines.slice(0, 2).join('\n')}\n{"id":"ada","metadata":{"plan":"family"}}`);
      const second = await importFile();
      expect(second).toMatchObject({ code: 0, stderr: '' });
      expect(second.stdout).toContain('3 rows: 0 created, 1 updated, 2 unchanged, 0 failed.');

      await writeFile(file, '\ufeffada\r\n \r\nbob \r\n');
      const erase = () => run('users', 'erase', file, '--project', 'Import', '--mode', 'live');
      expect(await erase()).toEqual({ code: 0, stdout: '1 users erased, 1 unknown.\n', stderr: '' });
      expect(await erase()).toEqual({ code: 0, stdout: '0 users erased, 2 unknown.\n', stderr: '' });
      for (const contact of ['ada@', 'bob at', '7654321', 'dan@', 'eve@', 'fay@', '198.51']) {
        expect(first.stdout + second.stdout).not.toContain(contact);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('imports users, devices and addresses from CSV', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whorl-import-'));
    const file = join(folder, 'Users.CSV');
    const importCsv = async (mode: 'live' | 'test', ...lines: string[]) => {
      await writeFile(file, lines.join('\r\n'));
      return run('users', 'import', file, '--project', 'Spreadsheet', '--mode', mode);
    };
    try {
      await run('project', 'create', '--name', 'Spreadsheet');
      const header = 'id,email,trusted_addresses,metadata.plan,device.fingerprint,device.trusted,device.metadata.name';
      const rows = [
        'ada,ada@example.com,198.51.100.7 2001:db8::1,family,8f0cc7e1a9,true,"Ada\'s ""big"" laptop,',
        'at home"',
        '',
        'ada,,,,another-old-id,false,Phone',
        'bob,bob at example,nowhere,,,,',
        'cyd,,,,,yes,',
        'dan,dan@example.com',
      ];
      const [sample] = samplesIn('csv');
      expect((await importCsv('live', sample?.code ?? '')).stdout).toContain('2 rows: 1 created, 1 updated, ');
      const first = await importCsv('test', `\ufeff${header}`, ...rows);
      const opaque = expect.stringMatching(
        /^line [35]: \w+; column device\.fingerprint was not created by the browser package/,
      );
      expect(first.stdout.split('\n')).toEqual([
        opaque,
        opaque,
        'line 6: failed; column trusted_addresses must be an IPv4 or IPv6 address',
        'line 7: failed; column device.fingerprint is required; column device.trusted must be true or false, not a string',
        'line 8: failed; it has 2 values, and the first line has 7',
        '5 rows: 1 created, 1 updated, 0 unchanged, 3 failed.',
        '',
      ]);
      expect(first.code).toBe(1);
      expect((await importCsv('test', header, ...rows.slice(0, 4))).stdout).toMatch(
        / 0 created, 0 updated, 2 unchanged, /,
      );

      const { service, database } = await openService(configFor(fresh.options), {
        log: createLog('silent'),
        sender: createOutbox(),
      });
      const { id } = await findProject(service.db, 'Spreadsheet');
      const stored = await service.db
        .selectFrom('devices as d')
        .innerJoin('worlds as w', 'w.id', 'd.world_id')
        .select(['d.metadata', 'd.trusted', 'w.mode'])
        .where('w.project_id', '=', id)
        .orderBy('d.id')
        .execute();
      const addresses = await service.db
        .selectFrom('user_addresses as a')
        .innerJoin('worlds as w', 'w.id', 'a.world_id')
        .select(['a.network', 'w.mode'])
        .where('w.project_id', '=', id)
        .orderBy('a.network')
        .execute();
      await database.close();
      expect(stored).toEqual([
        { mode: 'live', metadata: { name: 'Laptop' }, trusted: true },
        { mode: 'live', metadata: { name: 'Phone' }, trusted: true },
        { mode: 'test', metadata: { name: 'Ada\'s "big" laptop,\nat home' }, trusted: true },
        { mode: 'test', metadata: { name: 'Phone' }, trusted: false },
      ]);
      expect(addresses.filter(({ mode }) => mode === 'test').map(({ network }) => network)).toEqual([
        '198.51.100.7',
        '2001:db8::/64',
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

test.each([
  ['Line 1, column 2 does not have the name of a known column', 'id,ada@example.com', 'ada,x'],
  ['Line 1, column 3 has the name of an earlier column', 'id,email,id', 'ada,x,y'],
  ['Line 1 has no column "id"', 'email', 'ada@example.com'],
  ['Line 3, column 2: quotation marks do not match', 'id,email', 'ada,', 'bob,"bob"@example.com'],
  ['The file is empty', ''],
])('a CSV file is refused: %s', async (reason, ...lines) => {
  const read = async () => {
    for await (const { line } of readCsv(Readable.from(lines))) expect(line).toBe(2);
  };
  await expect(read()).rejects.toThrow(reason);
  await expect(read()).rejects.not.toThrow('@example.com');
});

test.each([
  ['CSV', readCsv, ['id,email', 'müller,', 'm\ufffdller,']],
  ['JSON lines', readLines, ['{"id":"anna"}', '{"id":"müller"}', '{"id":"m\ufffdller"}']],
] as const)(
  '%s: a row that is not UTF-8 is refused, because two names could become one',
  async (_name, read, lines) => {
    const rows = [];
    for await (const row of read(Readable.from(lines))) rows.push(row);
    const faults = rows.map(({ line, fault }) => [line, fault]).filter(([, fault]) => fault !== undefined);
    expect(faults).toEqual([[3, expect.stringContaining('save the file as UTF-8')]]);
  },
);
