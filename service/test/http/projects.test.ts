import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  changeSettings,
  createFirstProject,
  createProject,
  findCaller,
  hourMs,
  listProjects,
  readSettings,
  rotateKey,
} from '../../src/testing.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

describeDatabases('projects', (kind) => {
  let running: TestService;
  let project: TestProject;
  beforeAll(async () => {
    running = await startService({ database: kind });
  });
  afterAll(() => running.close());
  beforeEach(async () => {
    project = await running.newProject();
  });

  const caller = (key: string) => findCaller(running.service, key);
  const rotate = (keepOldForHours: number) => {
    const which = { project: project.project.id, mode: 'live', kind: 'secret' } as const;
    return rotateKey(running.service, { ...which, keepOldForHours });
  };

  describe('keys', () => {
    test('give access to their world, with the permissions of their kind', async () => {
      const { live, test } = project.keys;
      expect(await caller(live.secret)).toMatchObject({ kind: 'secret', mode: 'live', project: project.project });
      expect(await caller(test.publishable)).toMatchObject({ kind: 'publishable', mode: 'test' });
      const worlds = await Promise.all([live.secret, live.publishable, test.secret].map(caller));
      expect(worlds[0]?.worldId).toBe(worlds[1]?.worldId);
      expect(worlds[0]?.worldId).not.toBe(worlds[2]?.worldId);
    });

    test.each(['', 'sk_live_', 'sk_live_unknown', "sk_live_' or true", 'Bearer x'])('%j is rejected', async (key) => {
      expect(await caller(key)).toBeUndefined();
    });

    test('are stored in a form that cannot be used', async () => {
      const rows = await running.db.selectFrom('api_keys').selectAll().execute();
      const stored = JSON.stringify(rows.map((row) => ({ ...row, hash: Buffer.from(row.hash).toString('latin1') })));
      for (const key of [project.keys.live.secret, project.keys.test.secret]) {
        expect(stored).not.toContain(key.slice('sk_live_'.length));
      }
    });

    test('stay valid after a rotation for the chosen hours, and not longer', async () => {
      const newer = await rotate(24);
      expect(newer).toMatch(/^sk_live_/);
      running.clock.advance(23 * hourMs);
      expect(await caller(project.keys.live.secret)).toBeDefined();
      running.clock.advance(hourMs);
      expect(await caller(project.keys.live.secret)).toBeUndefined();
      expect(await caller(newer)).toBeDefined();
    });

    test('end at once if kept for no time', async () => {
      expect(await caller(project.keys.live.secret)).toBeDefined();
      await rotate(0);
      expect(await caller(project.keys.live.secret)).toBeUndefined();
      expect(await caller(project.keys.test.secret)).toBeDefined();
      expect(await caller(project.keys.live.publishable)).toBeDefined();
    });

    test('are limited to two at a time', async () => {
      const second = await rotate(24);
      const third = await rotate(24);
      expect(await caller(project.keys.live.secret)).toBeUndefined();
      expect(await caller(second)).toBeDefined();
      expect(await caller(third)).toBeDefined();
    });

    test('of an unknown project cannot be rotated', async () => {
      const nowhere = { project: 'nowhere', mode: 'live', kind: 'secret', keepOldForHours: 0 } as const;
      await expect(rotateKey(running.service, nowhere)).rejects.toThrow('There is no project "nowhere".');
    });
  });

  describe('names', () => {
    test('are unique', async () => {
      const { name } = project.project;
      await expect(createProject(running.service, { name })).rejects.toThrow(`There is already a project "${name}".`);
    });

    test.each(['', '   ', 'n'.repeat(101)])('%j is invalid', async (name) => {
      await expect(async () => createProject(running.service, { name })).rejects.toThrow('1 to 100 characters');
    });

    test('are listed', async () => {
      expect(await listProjects(running.service)).toContainEqual(project.project);
    });
  });

  test('the first project is created only once', async () => {
    const more = await Promise.all([1, 2, 3].map(() => createFirstProject(running.service)));
    expect(more).toEqual([undefined, undefined, undefined]);
    const names = (await listProjects(running.service)).map(({ name }) => name);
    expect(names.filter((name) => name === 'default')).toHaveLength(1);
  });

  describe('settings', () => {
    const change = (changes: Record<string, unknown>) =>
      changeSettings(running.service, { project: project.project.id, changes, changedBy: 'ada' });

    test('have default values until changed, and after a reset', async () => {
      const which = { project: project.project.id };
      const before = await readSettings(running.service, which);
      expect(before.mode).toBe('enforce');
      expect((await change({ mode: 'observe' })).mode).toBe('observe');
      expect((await caller(project.keys.live.secret))?.settings.mode).toBe('observe');
      expect(await change({ mode: undefined })).toEqual(before);
    });

    test('keep other changes', async () => {
      await change({ learning_days: 3 });
      expect(await change({ device_limit: { overall: 2 } })).toMatchObject({
        learning_days: 3,
        device_limit: { overall: 2, mobile: null },
      });
    });

    test.each([
      [{ mode: 'sometimes' }, /Invalid settings: .*mode/],
      [{ learning_days: -1 }, /Invalid settings: .*learning_days/],
      [{ colour: 'red' }, 'There is no setting "colour".'],
    ])('reject %j', async (changes, message) => {
      await expect(change(changes)).rejects.toThrow(message);
      expect(await readSettings(running.service, { project: project.project.name })).toMatchObject({ mode: 'enforce' });
    });

    const projectRow = () => running.db.selectFrom('projects').where('id', '=', project.project.id);

    test('that equal the default are stored until they are reset', async () => {
      await change({ learning_days: 0 });
      expect(await projectRow().select('settings').executeTakeFirst()).toEqual({ settings: { learning_days: 0 } });
      await change({ learning_days: undefined });
      expect(await projectRow().select('settings').executeTakeFirst()).toEqual({ settings: {} });
    });

    test('that are stored but invalid are repaired, without affecting others', async () => {
      const unreadable = JSON.stringify({ mode: 'sometimes', learning_days: 3 });
      const { id } = project.project;
      await running.db.updateTable('projects').set({ settings: unreadable }).where('id', '=', id).execute();
      expect(await change({ mode: 'observe' })).toMatchObject({ mode: 'observe', learning_days: 3 });
      const { changes } = await running.db
        .selectFrom('audit_log')
        .select('changes')
        .where('project_id', '=', id)
        .where('kind', '=', 'settings_changed')
        .where('actor', '=', 'ada')
        .executeTakeFirstOrThrow();
      expect(changes).toEqual({ mode: { from: 'sometimes', to: 'observe' } });
    });

    test('record who changed what', async () => {
      await change({ learning_days: 3 });
      await change({ learning_days: 4 });
      const rows = await running.db
        .selectFrom('audit_log')
        .select(['kind', 'changes'])
        .where('project_id', '=', project.project.id)
        .where('actor', '=', 'ada')
        .orderBy('id')
        .execute();
      expect(rows).toEqual([
        { kind: 'settings_changed', changes: { learning_days: { from: null, to: 3 } } },
        { kind: 'settings_changed', changes: { learning_days: { from: 3, to: 4 } } },
      ]);
    });
  });
});
