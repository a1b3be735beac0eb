import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, inject } from 'vitest';
import { isOfService, notRun, type Sample, sample, samplesIn } from '../../../test/package/samples.js';
import { addEndpoint, createLog, createProject, openService } from '../../src/testing.js';
import { compiledMain } from '../support/compile.js';
import { createDatabase, type FreshDatabase, testOnce } from '../support/databases.js';
import { engineOptions } from '../support/engine-options.js';
import { copyFolder } from '../support/folders.js';
import { createOutbox } from '../support/outbox.js';
import { environmentFor } from '../support/process.js';
import { configFor } from '../support/service.js';

/** Lines of samples that are not run, with the reason. */
const linesNotRun: Readonly<Record<string, string>> = {
  'whorl-service webhooks replay <endpoint> --event <webhook-id>':
    'Replays an event of before: webhooks-retries.test.ts.',
  'whorl-service move --to postgresql://whorl@db.internal/whorl': 'Needs an embedded database: move.test.ts.',
  'whorl-service addresses update': 'Needs sources: address-updates.test.ts.',
  'whorl-service addresses list': 'Needs sources: address-updates.test.ts.',
  'whorl-service distribute': 'Needs Citus: distribution.test.ts.',
  'whorl-service distribute --dry-run': 'Needs Citus: distribution.test.ts.',
  'whorl-service study --project Shop --out study': 'Needs 200 browsers: study.test.ts.',
  'whorl-service member reset --email ada@example.com': 'Needs a member: dashboard-sign-in.test.ts.',
  'whorl-service member change --email ada@example.com --role analyst --project Shop':
    'Needs a member: members.test.ts.',
  'whorl-service member remove --email ada@example.com': 'Needs a member: members.test.ts.',
  'whorl-service member remove-factors --email ada@example.com': 'Needs a member: second-factor.test.ts.',
};

const kind = inject('databases').postgresql ? 'postgresql' : 'embedded';
const test = testOnce(kind);

/** Runs the commands of the docs unchanged in a shell, on a new database with the project "Shop". */
describe('the commands of the docs', () => {
  let fresh: FreshDatabase;
  let folder: string;
  beforeEach(async () => {
    fresh = await createDatabase(kind);
    folder = await mkdtemp(join(tmpdir(), 'whorl-commands-'));
    const command = join(folder, 'whorl-service');
    const program = `"${process.execPath}" ${engineOptions.join(' ')} "${await compiledMain()}"`;
    await writeFile(command, `#!/bin/sh\nexec ${program} "$@"\n`);
    await chmod(command, 0o755);
    // Input files of `users import` and `users erase`.
    await writeFile(join(folder, 'users.ndjson'), '{"id":"ada","email":"ada@example.com"}\n');
    await writeFile(join(folder, 'users.csv'), 'id,email\nbob,bob@example.com\n');
    await writeFile(join(folder, 'users.txt'), 'ada\n');
  });
  afterEach(async () => {
    await fresh.drop();
    await rm(folder, { recursive: true });
  });

  /** Runs a script and returns its output. A failing command ends the script. */
  async function run(script: string, database = environmentFor(fresh.options)): Promise<string> {
    // The receiver in the docs does not exist.
    const reachable = script.replaceAll('https://shop.example/webhooks', 'http://127.0.0.1:9/');
    const env = {
      ...database,
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      PATH: `${folder}:${process.env.PATH}`,
    };
    const shell = spawn('/bin/sh', ['-e', '-c', reachable], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  }

  /** Creates the project that a sample presupposes. Returns the ID of its webhook endpoint, or '' without one. */
  async function prepare(name: string, { withEndpoint }: { withEndpoint: boolean }): Promise<string> {
    const config = configFor(fresh.options, { ALLOW_PRIVATE_WEBHOOKS: 'true' });
    const { service, database } = await openService(config, { log: createLog('silent'), sender: createOutbox() });
    try {
      const { project } = await createProject(service, { name });
      if (!withEndpoint) return '';
      const url = 'http://127.0.0.1:9/';
      return (await addEndpoint(service, { project: project.id, mode: 'live', url })).id;
    } finally {
      await database.close();
    }
  }

  /** Values of the samples' placeholders. */
  async function fill({ code }: Sample): Promise<string> {
    const lines = code.split('\n').filter((line) => !(line.replace(/ +#.*$/, '') in linesNotRun));
    let script = lines.join('\n');
    // Without --project, commands use the project that the first start creates.
    const project = script.includes('--project Shop') ? 'Shop' : 'default';
    if (!script.includes('project create --name Shop\n')) {
      script = script.replaceAll('<endpoint>', await prepare(project, { withEndpoint: script.includes('<endpoint>') }));
    }
    // ID of a key, which listing the keys prints.
    return script.replace(
      /(?<=keys revoke .*)[0-9a-f-]{36}/,
      `$(whorl-service keys list --project Shop | head -1 | cut -d' ' -f1)`,
    );
  }

  const samples = samplesIn('sh').filter((sample) => isOfService(sample) && !(sample.name in notRun));
  for (const each of samples) {
    test(each.name, async () => {
      await run(await fill(each));
    });
  }

  test('docs/operating.md, Replacing the master secret, 1', async () => {
    // Default folder, whose secret the first command creates. It has tables, because creating them takes long.
    await mkdir(join(folder, 'data'));
    await copyFolder(inject('databases').embedded, join(folder, 'data'));
    await run('whorl-service project create --name Shop', {});
    await run(sample('docs/operating.md, Replacing the master secret, 1').code, {});
    expect(await run('whorl-service keys list --project Shop', {})).toContain('live');
  });
});
