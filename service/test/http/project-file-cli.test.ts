import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, describeDatabases, type FreshDatabase } from '../support/databases.js';
import { environmentFor, runProcess } from '../support/process.js';

const hook = 'http://127.0.0.1:9/hooks';

describeDatabases('project export and apply', (kind) => {
  let fresh: FreshDatabase;
  let folder: string;
  let path: string;
  beforeAll(async () => {
    fresh = await createDatabase(kind);
    folder = await mkdtemp(join(tmpdir(), 'whorl-project-'));
    path = join(folder, 'shop.json');
  });
  afterAll(async () => {
    await fresh.drop();
    await rm(folder, { recursive: true });
  });

  const run = (...args: string[]) =>
    runProcess(args, { ...environmentFor(fresh.options), ALLOW_PRIVATE_WEBHOOKS: 'true' });
  const apply = (...options: string[]) => run('project', 'apply', path, '--project', 'Shop', ...options);

  test('move a project to a file and back, show drift, and apply twice without a change', async () => {
    const created = await run('project', 'create', '--name', 'Shop', 'learning_days', '3', '--webhook', hook);
    const exported = await run('project', 'export', '--project', 'Shop');
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    const file = JSON.parse(exported.stdout);
    expect(file).toEqual({
      $schema: expect.stringMatching(/\/schemas\/project\.json$/),
      settings: { learning_days: 3 },
      lists: [],
      webhooks: { live: [{ url: hook }], test: [] },
    });
    const secrets = created.stdout.match(/(?:[sp]k_|whsec_)\S+/g) ?? [];
    expect(secrets).toHaveLength(5);
    for (const secret of secrets) expect(exported.stdout).not.toContain(secret);

    await writeFile(path, exported.stdout);
    const nothing = { code: 0, stdout: 'No changes.\n', stderr: '' };
    expect(await apply('--dry-run')).toEqual(nothing);
    expect(await apply()).toEqual(nothing);

    const settings = { device_limit: { overall: 2 }, allowed_origins: ['https://shop.example'] };
    await writeFile(path, JSON.stringify({ ...file, settings, webhooks: { live: [], test: [{ url: hook }] } }));
    const diff = [
      '~ settings.learning_days: 3 → 0',
      '~ settings.device_limit.overall: 5 → 2',
      '+ settings.allowed_origins: "https://shop.example"',
      `- webhooks.live: "${hook}"`,
      `+ webhooks.test: "${hook}"`,
    ];
    const drift = await apply('--dry-run');
    expect(drift).toEqual({ code: 3, stdout: `${[...diff, '5 changes, not applied.'].join('\n')}\n`, stderr: '' });
    const applied = await apply();
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout.split('\n').slice(0, 6)).toEqual([...diff, '5 changes applied.']);
    expect(applied.stdout).not.toContain('whsec_');
    expect(await apply()).toEqual(nothing);
    expect((await run('settings', 'get', 'device_limit', '--project', 'Shop')).stdout).toContain('"overall": 2');
    const audit = await run('audit', '--limit', '3');
    expect(audit.stdout).toMatch(/webhook_added .*\n.*webhook_removed .*\n.*settings_changed {2}command line/);

    await writeFile(path, JSON.stringify({ settings: { mode: 'off', colour: 1 }, webhooks: { live: [{ url: 'x' }] } }));
    const refused = await apply();
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr.split('\n')).toEqual([
      'Nothing was changed, because the file has errors:',
      '  settings.colour is not a known field',
      '  settings.mode must be "enforce" or "observe"',
      '  webhooks.live.0.url is refused. The URL of a webhook endpoint must begin with https://',
      '',
    ]);
    await writeFile(path, '{"settings": {},}');
    expect((await apply()).stderr).toBe('The file is not valid JSON: property name expected at line 1, column 17.\n');
  });

  test('a file that cannot be read, or a project that does not exist', async () => {
    const missing = await run('project', 'apply', join(folder, 'none.json'));
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('none.json cannot be read (ENOENT).')]);
    const nowhere = await run('project', 'export', '--project', 'Nowhere');
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('There is no project "Nowhere".')]);
  });

  test('keys are created with scopes, and listed with them', async () => {
    await run('project', 'create', '--name', 'Keys');
    const create = (...scopes: string[]) =>
      run('keys', 'create', '--project', 'Keys', '--mode', 'live', '--kind', 'secret', '--scopes', ...scopes);
    const made = await create('manage', 'read');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sk_live_\w{43}\n$/) });
    const list = await run('keys', 'list', '--project', 'Keys');
    expect(list.stdout).toContain(`sk_live_…${made.stdout.trim().slice(-4)}  read,manage  created`);
    expect(await create('everything')).toMatchObject({ code: 2, stdout: '' });
    expect((await run('keys', 'create', '--help')).stdout).toContain('--scopes <scopes...>');
  });
});
