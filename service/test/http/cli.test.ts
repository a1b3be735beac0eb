import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { samplesIn } from '../../../test/package/samples.js';
import { createLog, findProject, openService, readCsv, readLines } from '../../src/testing.js';
import { createDatabase, describeDatabases, type FreshDatabase, testOnce } from '../support/databases.js';
import { createOutbox } from '../support/outbox.js';
import { environmentFor, runProcess, startProcess } from '../support/process.js';
import { configFor } from '../support/service.js';

const MADE = /Created the project "(.*)" \(([0-9a-f-]{36})\)/;
const LIVE_SECRET = /live, secret +(sk_live_\S+)/;

describeDatabases('the command line', (kind) => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await createDatabase(kind);
  });
  afterAll(() => fresh.drop());

  const run = (...args: string[]) => runProcess(args, environmentFor(fresh.options));

  // Each command is a process. The queries are tested on both databases.
  const once = testOnce(kind);
  once('makes projects, changes their settings, and rotates their keys', async () => {
    const refused = await run('project', 'create', '--name', 'Other', 'learning_days', '-1');
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('learning_days') });
    const nowhere = await run('project', 'create', '--name', 'Other', '--webhook', 'http://127.0.0.1:9/');
    expect(nowhere).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('require https://') });
    const more = ['mode', '"observe"', '--webhook', 'http://127.0.0.1:9/', '--webhook-mode', 'test'];
    const environment = { ...environmentFor(fresh.options), ALLOW_PRIVATE_WEBHOOKS: 'true' };
    const created = await runProcess(['project', 'create', '--name', 'Shop', ...more], environment);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(created.stdout).toMatch(MADE);
    expect(created.stdout).toMatch(/webhook endpoint [0-9a-f-]{36}\. .*\n {2}whsec_\S+\n$/);
    expect(created.stdout.match(/[sp]k_(live|test)_\S+/g)).toHaveLength(4);

    const pairs = ['learning_days', '3', 'managed_challenge_page', 'true'];
    const set = await run('settings', 'set', '--project', 'Shop', ...pairs);
    expect(set).toEqual({ code: 0, stdout: '3\ntrue\n', stderr: '' });
    const get = await run('settings', 'get', '--project', 'Shop');
    expect(JSON.parse(get.stdout)).toMatchObject({ learning_days: 3, managed_challenge_page: true, mode: 'observe' });

    const id = MADE.exec(created.stdout)?.[2] ?? '';
    const rotated = await run('keys', 'rotate', '--project', id, '--mode', 'live', '--kind', 'secret');
    expect(rotated.stdout).toMatch(/^sk_live_\w+\n$/);
    expect(rotated.stdout).not.toContain(LIVE_SECRET.exec(created.stdout)?.[1]);

    const keys = await run('keys', 'list', '--project', id);
    expect(
      keys.stdout.match(
        /^[0-9a-f-]{36} {2}[sp]k_(live|test)_…\w{4} {2}(evaluate|-) {2}created \S+Z {2}(valid|valid until \S+Z)$/gm,
      ),
    ).toHaveLength(5);
    const [newest = ''] =
      keys.stdout.match(new RegExp(`^\\S+(?=  sk_live_…${rotated.stdout.trim().slice(-4)} )`, 'm')) ?? [];
    const revoked = await run('keys', 'revoke', '--project', id, newest);
    expect(revoked).toMatchObject({ code: 0, stdout: expect.stringMatching(/ expired \S+Z\n$/) });

    const audit = await run('audit', '--kind', 'key_revoked');
    expect(audit.stdout).toMatch(/^\S+Z {2}key_revoked {2}command line {2}- {2}project: Shop {2}sk_live_…\w{4}\n$/);
    const asJson = (await run('audit', '--json', '--limit', '1')).stdout;
    expect(JSON.parse(asJson)).toMatchObject({ kind: 'key_revoked', actor: 'command line', project_id: id });

    const verified = await run('audit', 'verify');
    expect(verified).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/The audit log is as it was written\.\n$/),
    });
    const head = (await run('audit', 'head')).stdout.trim();
    expect(head).toMatch(/^\d+:[0-9a-f]{64}$/);
    expect(await run('audit', 'verify', '--head', head)).toMatchObject({ code: 0 });
    const other = await run(
      'audit',
      'verify',
      '--head',
      head.replace(/:./, (start) => (start === ':0' ? ':1' : ':0')),
    );
    expect(other).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('is not the one that you kept the hash of'),
    });
    expect(await run('audit', 'verify', '--head', 'nonsense')).toMatchObject({ code: 2 });
    const exported = (await run('audit', 'export')).stdout.trim().split('\n');
    expect(JSON.parse(exported.at(-1) ?? '')).toMatchObject({ seq: exported.length, kind: 'key_revoked' });

    const list = await run('project', 'list');
    expect(list.stdout).toMatch(new RegExp(`^${id}  \\S+Z  Shop\n$`));
  });

  once('makes links for one address each', async () => {
    const ada = ['--email', 'ada@example.com'];
    const link = /^http:\/\/localhost:0\/dashboard\/set-up\?token=[\w-]{43}\n$/;
    expect(await run('member', 'invite', '--role', 'owner', ...ada)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(link),
    });
    expect(await run('member', 'invite', '--role', 'owner', '--email', 'ada')).toEqual({
      code: 1,
      stdout: '',
      stderr: '"ada" is not a valid email address. Enter an address such as ada@example.com.\n',
    });
    const unknown = 'There is no member with this email address.\n';
    expect(await run('member', 'reset', ...ada)).toEqual({ code: 1, stdout: '', stderr: unknown });
    expect(await run('member', 'invite', '--role', 'owner')).toMatchObject({ code: 2, stdout: '' });
  });

  once('imports users from a file, line by line', async () => {
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

      await writeFile(file, '\ufeffada\r\n\r\nnobody\r\n');
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

  once('imports users, devices and addresses from CSV', async () => {
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

  test('reports errors in one sentence', async () => {
    const finished = await run('keys', 'rotate', '--project', 'Nobody', '--mode', 'live', '--kind', 'secret');
    const stderr = 'There is no project "Nobody". "project list" shows all projects.\n';
    expect(finished).toEqual({ code: 1, stdout: '', stderr });
  });

  test(`${kind === 'embedded' ? 'is kept from' : 'works on'} a database on which the service runs`, async () => {
    const service = await startProcess(environmentFor(fresh.options));
    const finished = await run('project', 'list');
    if (kind === 'embedded') {
      expect(finished.code).toBe(1);
      expect(finished.stderr).toBe(`Process ${service.pid} uses the folder ${folderOf(fresh)}: stop it first.\n`);
    } else {
      expect(finished).toMatchObject({ code: 0, stderr: '' });
    }
    await service.end('SIGTERM');
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

describe('the command line', () => {
  test('prints help', async () => {
    const finished = await runProcess(['--help'], {});
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    for (const name of ['start', 'migrate', 'project', 'keys', 'settings', 'users'])
      expect(finished.stdout).toContain(name);
  });

  test.each([
    [['settings', 'set', 'mode', 'observe'], 2, 'It is not valid JSON'],
    [['settings', 'set', 'learning_days', '3', 'mode'], 1, 'The value of mode is missing.'],
    [['settings', 'set', 'learning_days', '3', 'mode', 'observe'], 1, 'mode: It is not valid JSON'],
    [['settings', 'get', 'colour'], 1, 'There is no setting "colour"'],
    [['keys', 'rotate', '--mode', 'both', '--kind', 'secret'], 2, 'live, test'],
    [['keys', 'rotate', '--keep-hours', '-1'], 2, 'It must be a number of hours'],
    [['webhooks', 'add', '--mode', 'both'], 2, 'live, test'],
    [['users', 'import', 'users.ndjson'], 2, "required option '--mode <mode>'"],
    [['users', 'erase', 'users.txt'], 2, "required option '--mode <mode>'"],
    [['users', 'import', '/no/such/file', '--mode', 'live'], 1, 'The file /no/such/file cannot be read'],
    [['project', 'create'], 2, "required option '--name <name>'"],
    [['dance'], 2, "unknown command 'dance'"],
  ])('%j exits with %i and a reason', async (args, code, sentence) => {
    const finished = await runProcess(args, {});
    expect(finished).toMatchObject({ code, stdout: '' });
    expect(finished.stderr).toContain(sentence);
    expect(finished.stderr).not.toMatch(/\n {4}at /);
  });

  test('reports all errors in the environment without quoting values', async () => {
    const environment = { PORT: 'secret-port', DATABASE_URL: 'secret-url', WHORL_SECRET: 'short' };
    const { code, stderr } = await runProcess(['project', 'list'], environment);
    expect(code).toBe(1);
    for (const name of Object.keys(environment)) expect(stderr).toContain(name);
    for (const value of Object.values(environment)) expect(stderr).not.toContain(` ${value}`);
  });

  test('does not wait for an unreachable database', async () => {
    const environment = environmentFor({ kind: 'postgresql', url: 'postgresql://127.0.0.1:1/none' });
    const finished = await runProcess(['migrate'], environment);
    expect(finished).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('cannot be reached: start it') });
  });
});

function folderOf({ options }: FreshDatabase): string {
  return options.kind === 'embedded' ? options.folder : '';
}
