import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type StudyReport } from '../../src/testing.js';
import { createDatabase, describeDatabases, type FreshDatabase, testOnce } from '../support/databases.js';
import { environmentFor, runProcess } from '../support/process.js';
import {
  planted,
  plantedErrorRate,
  plantedVisits,
  type StoredVisit,
  storeVisits,
  textOf,
  thumbprintOf,
} from '../support/study-population.js';

describeDatabases('the study', (kind) => {
  let fresh: FreshDatabase;
  let folder: string;
  beforeEach(async () => {
    fresh = await createDatabase(kind);
    folder = await mkdtemp(join(tmpdir(), 'whorl-study-'));
    await run('project', 'create', '--name', planted.project);
  });
  afterEach(async () => {
    await fresh.drop();
    await rm(folder, { recursive: true });
  });

  const run = (...args: string[]) => runProcess(args, environmentFor(fresh.options));
  const study = (...args: string[]) => run('study', '--project', planted.project, ...args);

  /** Inserts visits into the live world. */
  async function store(visits: readonly StoredVisit[]): Promise<void> {
    const database = await openDatabase(fresh.options);
    try {
      const world = await database.db
        .selectFrom('worlds')
        .select('id')
        .where('mode', '=', 'live')
        .executeTakeFirstOrThrow();
      await storeVisits(database, world.id, visits);
    } finally {
      await database.close();
    }
  }

  testOnce(kind)('recovers a planted equal error rate within 0.1 points from 10,000 devices', async () => {
    const visits = plantedVisits({ devices: 10_000, scale: 2, seed: 1 });
    // 3% of the keys get a second identity, and 2% share one.
    await store(
      visits.map((visit) => {
        if (visit.key < 300 && visit.day > 0) return { ...visit, identity: visit.identity + 10_000 };
        return visit.key >= 500 && visit.key < 700 ? { ...visit, identity: visit.identity & ~1 } : visit;
      }),
    );
    const finished = await study('--out', join(folder, 'report'));
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    const json = await readFile(join(folder, 'report.json'), 'utf8');
    const report: StudyReport = JSON.parse(json);
    const rate = report.equal_error_rate;
    expect(rate?.share).toBeGreaterThan(plantedErrorRate(2) - 0.001);
    expect(rate?.share).toBeLessThan(plantedErrorRate(2) + 0.001);
    expect(rate?.low).toBeLessThan(plantedErrorRate(2));
    expect(rate?.high).toBeGreaterThan(plantedErrorRate(2));
    expect(report.split?.share).toBe(0.03);
    expect(report.identity_with_another_key?.share).toBe(0.02);
    const markdown = await readFile(join(folder, 'report.md'), 'utf8');
    const title = '# Field study of Whorl fingerprints\n';
    expect(markdown.startsWith(title)).toBe(true);
    // The sample of the docs. `npx vitest -u` with this file updates it.
    const sample = markdown.replace(title, '# Sample of a field study: simulated devices\n');
    await expect(sample).toMatchFileSnapshot('../../../docs/research/study-sample.md');
  });

  test('contains nothing that is in the database, and is not stopped by rows that it cannot read', async () => {
    const visits = plantedVisits({ devices: 300, scale: 2, seed: 2 });
    const broken = ['', 'null', 'w1.broken', 'a fingerprint of another package'];
    await store([
      ...visits,
      ...broken.flatMap((fingerprint, place) =>
        [0, 30].map((day) => ({ user: 900 + place, key: 900 + place, identity: 900 + place, day, fingerprint })),
      ),
      // One user's second key, used between two uses of the first, on the same identity.
      { ...at(visits, 0), key: 990, day: 12, fingerprint: textOf(new Map()) },
    ]);
    const reports = [await study(), await study('--json')];
    for (const { code, stdout, stderr } of reports) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const secrets = [planted.user, planted.ip, planted.project, 'Zq', 'dlc156', ...broken.slice(2)];
      for (const text of secrets) expect(stdout).not.toContain(text);
      for (const visit of visits) expect(stdout).not.toContain(thumbprintOf(visit.key));
      expect(stdout).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    }
    const report: StudyReport = JSON.parse(reports[1]?.stdout ?? '');
    // Fewer than k devices are not counted, and no share tells how many they are.
    expect(report.counts).toMatchObject({ keys_seen_again: 300, unreadable_fingerprints: null });
    expect(report.identity_with_overlapping_key).toMatchObject({ bound: 'at_most', low: 0 });
    expect(report.own_browsers_taken_for_one).toBeNull();
    expect(report.weights).toBeNull();
    expect(reports[0]?.stdout).toContain('at least 1,000 are needed');
  });

  test('says how many browsers it needs, and changes nothing', async () => {
    const needs = (found: number) => ({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        `at least 200 browsers with a key that were seen on two days, and found ${found}.`,
      ),
    });
    expect(await study()).toMatchObject(needs(0));
    await store(plantedVisits({ devices: 1, scale: 2, seed: 3 }));
    expect(await study()).toMatchObject(needs(1));
    expect(await study('--mode', 'test')).toMatchObject(needs(0));
    expect(await study('--k', '1')).toMatchObject({ code: 2, stdout: '' });
  });
});

function at(visits: readonly StoredVisit[], place: number): StoredVisit {
  const visit = visits[place];
  if (!visit) throw new Error('There is no such visit');
  return visit;
}
