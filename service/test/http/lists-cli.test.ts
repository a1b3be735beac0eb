import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, describeDatabases, type FreshDatabase } from '../support/databases.js';
import { environmentFor, runProcess } from '../support/process.js';

const header = 'kind,value,effect,note,expires_at';

describeDatabases('the command line for lists', (kind) => {
  let fresh: FreshDatabase;
  let folder: string;
  beforeAll(async () => {
    fresh = await createDatabase(kind);
    folder = await mkdtemp(join(tmpdir(), 'whorl-lists-'));
  });
  afterAll(async () => {
    await fresh.drop();
    await rm(folder, { recursive: true });
  });

  const list = (...args: string[]) => runProcess(['list', ...args, '--project', 'Shop'], environmentFor(fresh.options));

  test('adds, shows, exports, imports and removes entries', async () => {
    await runProcess(['project', 'create', '--name', 'Shop'], environmentFor(fresh.options));
    const added = await list('add', '198.51.100.7/24', '--kind', 'address', '--effect', 'block', '--note', '=x');
    expect(added).toEqual({
      code: 0,
      stdout: 'address  198.51.100.0/24  block  expires never  command line  =x\n',
      stderr: '',
    });
    expect(await list('show', '--kind', 'address')).toEqual(added);
    const exported = await list('export');
    expect(exported.stdout).toBe(`${header}\naddress,198.51.100.0/24,block,'=x,\n`);

    const path = join(folder, 'lists.csv');
    await writeFile(path, `${exported.stdout}user,ada,allow,,2999-01-01\n`);
    expect((await list('import', path)).stdout).toBe('2 entries: 1 added, 1 unchanged.\n');
    await writeFile(path, `${header}\nuser,bob,allow,,\nuser,bob,block,,\n`);
    const refused = await list('import', path);
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'Nothing was added, because the file has errors:\nLine 3: value is named twice\n',
    });

    expect(await list('remove', 'bob', '--kind', 'user')).toMatchObject({
      code: 1,
      stderr: 'The lists have no entry for the user "bob". Nothing was changed.\n',
    });
    expect((await list('remove', 'ada', '--kind', 'user')).stdout).toMatch(/^user {2}ada {2}allow {2}expires 2999-/);
    expect((await list('show')).stdout).toBe(added.stdout);
    const old = ['settings', 'set', 'allowed_users', '["ada"]', '--project', 'Shop'];
    expect((await runProcess(old, environmentFor(fresh.options))).stderr).toContain('was replaced by lists');
  });
});
