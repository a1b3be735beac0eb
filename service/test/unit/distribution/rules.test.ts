import { describe, expect, test } from 'vitest';
import { type Cluster, problemsOf, warningsOf } from '../../../src/ground/db/distribution/cluster-rules.js';
import { type Placement, pendingChanges } from '../../../src/ground/db/distribution/placement-rules.js';

const settings = { maxPreparedTransactions: 200, walLevel: 'logical' };
const coordinator = { name: 'c:5432', isCoordinator: true, hasShards: false, isReachable: true, settings };
const worker = { name: 'w:5432', isCoordinator: false, hasShards: true, isReachable: true, settings };
const ready: Cluster = { offered: '13.2-1', installed: '13.2-1', nodes: [coordinator, worker], isCoordinator: true };

describe('a cluster', () => {
  test('that is ready has no problems', () => {
    expect(problemsOf(ready)).toEqual([]);
    expect(warningsOf(ready)).toEqual([]);
  });

  const problems: readonly [string, Partial<Cluster>, RegExp][] = [
    ['without Citus', { offered: undefined, installed: undefined, nodes: [] }, /Citus is not installed/],
    ['without the extension', { installed: undefined, nodes: [] }, /create extension citus/],
    ['of an old version', { installed: '12.1-1' }, /version 12\.1-1/],
    ['whose coordinator has no address', { nodes: [worker] }, /citus_set_coordinator_host/],
    ['that is reached through a worker', { isCoordinator: false }, /DATABASE_URL leads to a worker/],
    ['without workers', { nodes: [coordinator] }, /There are no workers/],
    ['with a lost worker', { nodes: [coordinator, { ...worker, isReachable: false }] }, /cannot reach w:5432/],
    ['with a worker that does not answer', { nodes: [coordinator, { ...worker, settings: undefined }] }, /w:5432/],
    [
      'without prepared transactions',
      { nodes: [coordinator, { ...worker, settings: { ...settings, maxPreparedTransactions: 0 } }] },
      /max_prepared_transactions of w:5432/,
    ],
  ];
  test.each(problems)('%s is explained', (_name, changes, problem) => {
    expect(problemsOf({ ...ready, ...changes })).toEqual([expect.stringMatching(problem)]);
  });

  test('whose parts move with a lock is warned of', () => {
    const replica = { ...worker, settings: { ...settings, walLevel: 'replica' } };
    expect(problemsOf({ ...ready, nodes: [coordinator, replica] })).toEqual([]);
    expect(warningsOf({ ...ready, nodes: [coordinator, replica] })).toEqual([
      expect.stringMatching(/wal_level to logical on w:5432/),
    ]);
  });
});

describe('pending changes', () => {
  const wanted = { copied: ['projects'], distributed: ['users', 'devices'], tracked: ['jobs'] };
  const none = { copied: [], distributed: [], tracked: [], others: [] };
  const copied: Placement = { table: 'projects', kind: 'copied', column: null, group: 1 };
  const tracked: Placement = { table: 'jobs', kind: 'local', column: null, group: 0 };
  const users: Placement = { table: 'users', kind: 'distributed', column: 'world_id', group: 2 };
  const devices: Placement = { ...users, table: 'devices' };

  test('are all tables at first, and none afterwards', () => {
    expect(pendingChanges([], wanted)).toEqual({ ...none, ...wanted });
    expect(pendingChanges([copied, tracked, users, devices], wanted)).toEqual(none);
  });

  test('are the tables that a migration has created', () => {
    expect(pendingChanges([copied, tracked, users], wanted)).toEqual({ ...none, distributed: ['devices'] });
    // Citus knows a table that refers to a copied one.
    const known: Placement = { ...tracked, table: 'devices' };
    expect(pendingChanges([copied, tracked, users, known], wanted)).toEqual({ ...none, distributed: ['devices'] });
  });

  test.each([
    ['another column', { ...devices, column: 'id' }],
    ['other places than the first table', { ...devices, group: 3 }],
    ['copies', { ...devices, kind: 'copied' as const }],
  ])('leave a table with %s to the operator', (_name, placement) => {
    expect(pendingChanges([copied, tracked, users, placement], wanted)).toEqual({ ...none, others: ['devices'] });
  });
});
