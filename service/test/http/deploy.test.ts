import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { findPostgresql } from '../../../scripts/find-postgresql.mjs';
import { findPromtool } from '../../../scripts/find-promtool.mjs';
import { compiledMain } from '../support/compile.js';
import { customerOf, home, laptop } from '../support/customer.js';
import { createDatabase, describePostgresql, type FreshDatabase } from '../support/databases.js';
import { environmentFor } from '../support/process.js';
import { startService } from '../support/service.js';

const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url));
const read = (path: string) => readFile(join(deploy, path), 'utf8');
const execute = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whorl-deploy-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the dashboard and the alerts', () => {
  test('use metrics that the service has, with their labels', async () => {
    const service = await startService({ database: inject('databases').postgresql ? 'postgresql' : 'embedded' });
    const metrics = await (await fetch(`${service.url}/metrics`)).text().finally(() => service.close());
    const types = new Map([...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => [name, type]));
    const docs = await read('../docs/api.md');
    const used = (await expressions()).flatMap((text) => [
      ...text.matchAll(/\b((?:whorl|nodejs|process)_\w+)(\{[^}]*\})?/g),
    ]);
    const names = new Set<string>();
    for (const [, found = '', selector = ''] of used) {
      const name = found.replace(/_(?:bucket|sum|count)$/, (suffix) =>
        types.get(found.slice(0, -suffix.length)) === 'histogram' ? '' : suffix,
      );
      expect(types.has(name), name).toBe(true);
      names.add(name);
      const documented = new RegExp(`^\\| \`${name}\` \\| ([^|]*) \\|`, 'm').exec(docs)?.[1] ?? '';
      for (const [, label = ''] of selector.matchAll(/(\w+)=/g))
        expect(label === 'job' || documented.includes(`\`${label}\``), `${name}, ${label}`).toBe(true);
    }
    const own = [...types.keys()].filter((name) => name.startsWith('whorl_'));
    expect(own.filter((name) => !names.has(name))).toEqual([]);
  });

  const command = findPromtool();
  describe.skipIf(!command && process.env.WHORL_REQUIRE_ENGINES !== '1')('with promtool', () => {
    const promtool = (...args: string[]) => execute(command ?? 'promtool', args, { cwd: deploy });

    test('the alerts are valid, and fire when they should', async () => {
      expect((await promtool('check', 'rules', 'prometheus/alerts.yaml')).stdout).toContain('SUCCESS: 12 rules found');
      expect((await promtool('test', 'rules', 'prometheus/alerts.test.yaml')).stdout).toContain('SUCCESS');
    });

    test('the queries of the dashboard are valid', async () => {
      const rules = (await expressions()).map((text, at) => ({ record: `query_${at}`, expr: withoutVariables(text) }));
      // YAML includes JSON.
      await writeFile(join(folder, 'rules.yaml'), JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
      const { stdout } = await promtool('check', 'rules', join(folder, 'rules.yaml'));
      expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`);
    });
  });

  function withoutVariables(text: string): string {
    return text.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*');
  }

  async function expressions(): Promise<string[]> {
    const dashboard: { panels: { targets: { expr: string }[] }[] } = JSON.parse(await read('grafana/whorl.json'));
    const panels = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const alerts = await read('prometheus/alerts.yaml');
    const rules = alerts
      .split('- alert:')
      .slice(1)
      .map((rule) => /expr: (\|\n)?([\s\S]*?)\n +for:/.exec(rule)?.[2] ?? '');
    expect(rules.every((text) => text !== '')).toBe(true);
    return [...panels, ...rules];
  }
});

describePostgresql('backup.sh and restore.sh', () => {
  let fresh: FreshDatabase;
  let empty: FreshDatabase;
  beforeEach(async () => {
    fresh = await createDatabase('postgresql');
    empty = await createDatabase('postgresql', { empty: true });
    // As in a clone of the repository after the build: there is no command `whorl-service`.
    for (const script of ['backup.sh', 'restore.sh']) await cp(join(deploy, script), join(folder, 'deploy', script));
    await mkdir(join(folder, 'service/dist'), { recursive: true });
    await writeFile(join(folder, 'service/dist/main.js'), `import ${JSON.stringify(await compiledMain())};\n`);
    await writeFile(join(folder, 'service/package.json'), '{ "type": "module" }');
  });
  afterEach(async () => {
    await fresh.drop();
    await empty.drop();
  });

  // npm links the command of this repository if the service was built before `npm ci`.
  const pathWithoutService = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((each) => !existsSync(join(each, 'whorl-service')))
    .join(delimiter);
  const run = (script: string, database: FreshDatabase, more: Record<string, string> = {}) => {
    const PATH = `${findPostgresql()}:${pathWithoutService}`;
    const env = { ...environmentFor(database.options), ADDRESS_DATABASES: 'none', ...more, PATH };
    return execute(join(folder, 'deploy', script), ['whorl.dump'], { cwd: folder, env });
  };

  test.each([
    ['backup.sh', 'postgresql://whorl:hunter2@db.internal/whorl'],
    ['restore.sh', 'postgresql://whorl@db.internal/whorl?password=hunter2'],
  ])('%s refuses a password that other users could see among the processes', async (script, url) => {
    const refused = run(script, fresh, { DATABASE_URL: url, WHORL_SECRET: 'any' });
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('PGPASSFILE') });
    await expect(refused).rejects.toMatchObject({ stderr: expect.not.stringContaining('hunter2') });
  });

  test.each([
    ['the service', 'service', 'The service was not found'],
    ['the backup', 'whorl.dump', 'is not a backup'],
  ])('restore.sh changes nothing without %s', async (_name, missing, message) => {
    await run('backup.sh', fresh);
    await rm(join(folder, missing), { recursive: true });
    await expect(run('restore.sh', empty)).rejects.toMatchObject({ stderr: expect.stringContaining(message) });
    const tables = "select count(*) from pg_class where relnamespace = 'public'::regnamespace";
    const env = { ...process.env, PATH: `${findPostgresql()}:${process.env.PATH}` };
    const url = environmentFor(empty.options).DATABASE_URL ?? '';
    expect((await execute('psql', [url, '--tuples-only', '--no-align', '--command', tables], { env })).stdout).toBe(
      '0\n',
    );
  });

  test('restore what a running service had, into an empty database only, with its secret only', async () => {
    const service = await startService({ database: 'postgresql', on: fresh });
    const project = await service.newProject();
    const { id, code } = await customerOf(service, project).sendCode('ada');
    await customerOf(service, project).ask(`/v2/challenges/${id}/verify`, { code });
    await customerOf(service, project).ask(`/v2/challenges/${id}/complete`);
    await run('backup.sh', fresh);
    await service.close();
    await expect(run('backup.sh', fresh)).rejects.toMatchObject({ stderr: expect.stringContaining('already exists') });
    await expect(run('restore.sh', fresh)).rejects.toMatchObject({ stderr: expect.stringContaining('is not empty') });

    const restored = await run('restore.sh', empty);
    expect(restored.stderr).toBe('');
    expect(restored.stdout).toContain(project.project.name);
    expect(restored.stdout).toMatch(/^1 users, 1 devices, 1 evaluations, the newest at 20/m);
    const again = await startService({ database: 'postgresql', on: empty, clock: service.clock });
    try {
      const login = { action: 'login', user: 'ada', fingerprint: laptop, ip: home };
      expect(await customerOf(again, project).evaluate(login)).toMatchObject({ verdict: 'allow', reasons: [] });
    } finally {
      await again.close();
    }

    const other = await createDatabase('postgresql', { empty: true });
    try {
      const wrong = run('restore.sh', other, { WHORL_SECRET: 'a secret that does not belong to the backup' });
      await expect(wrong).rejects.toMatchObject({
        stderr: expect.stringMatching(/another master secret[\s\S]*The database is empty again/),
      });
      // So it can be run again.
      expect((await run('restore.sh', other)).stdout).toContain(project.project.name);
    } finally {
      await other.drop();
    }
  });
});
