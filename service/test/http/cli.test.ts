import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, describeDatabases, type FreshDatabase, testOnce } from '../support/databases.js';
import { environmentFor, LIVE_SECRET, runProcess, startProcess } from '../support/process.js';

const MADE = /Created the project "(.*)" \(([0-9a-f-]{36})\)/;

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
    const misspelt = await run('settings', 'set', '--project', 'Shop', 'risk', '{"threshold":1,"treshold":2}');
    expect(misspelt).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('risk.treshold is not a known field; did you mean `threshold`?'),
    });
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

  test('refuses a date that does not exist', async () => {
    const { code, stderr } = await run('audit', '--since', '2026-02-30');
    expect([code, stderr]).toEqual([2, expect.stringContaining('It must be a time, such as 2026-01-02')]);
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
    [['users', 'import', '/', '--mode', 'live'], 1, 'The file / cannot be read (EISDIR).'],
    [['users', 'erase', '/', '--mode', 'live'], 1, 'The file / cannot be read (EISDIR).'],
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
