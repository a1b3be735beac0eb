import { onPostgresql } from '../faults/stage.mjs';

/** Number of requests that must have responses during a fault that the cluster survives, before the fault ends. */
const minResponses = 150;
/** Time limit for them. */
const failoverTimeoutMs = 120_000;
/** Time limit for the people who have not finished when the load ends: a failover may still be under way. */
const shutdownTimeoutMs = 180_000;

/** @typedef {import('./cluster.mjs').FailoverCluster} FailoverCluster */

/**
 * @typedef {object} Fault
 * @property {string} name
 * @property {(cluster: FailoverCluster, roles: import('./cluster.mjs').Roles) => Promise<void> | void} begin
 * @property {boolean} [killsProcess] Whether one of the three processes of the service is killed at the same time.
 */

/** @type {readonly Fault[]} */
const faults = [
  { name: 'Primary killed', begin: (cluster, { primary }) => cluster.kill(primary) },
  {
    name: 'Primary and one of three processes killed',
    begin: (cluster, { primary }) => cluster.kill(primary),
    killsProcess: true,
  },
  { name: 'Primary frozen, then resumed', begin: (cluster, { primary }) => cluster.freeze(primary) },
  { name: 'Primary cut off from the network', begin: (cluster, { primary }) => cluster.network.cutOff(primary) },
  {
    name: 'Network cut between primary and synchronous standby',
    begin: (cluster, { primary, synchronous }) => cluster.network.cut(primary, synchronous),
  },
  {
    name: 'Network cut, and then the primary killed',
    begin(cluster, { primary, synchronous }) {
      cluster.network.cut(primary, synchronous);
      cluster.kill(primary);
    },
  },
  { name: 'Planned switchover', begin: (cluster, roles) => cluster.switchOver(roles) },
  { name: 'Synchronous standby killed', begin: (cluster, { synchronous }) => cluster.kill(synchronous) },
  { name: 'etcd lost on one machine', begin: (cluster, { primary }) => void cluster.killEtcd(primary) },
  {
    name: 'etcd lost on all machines',
    begin(cluster, roles) {
      for (const name of Object.values(roles)) cluster.killEtcd(name);
    },
  },
];

/** @param {FailoverCluster} cluster */
export function scenariosOn(cluster) {
  return faults.map(({ name, begin, killsProcess = false }) => ({
    name,
    run: async () => {
      const roles = await cluster.waitUntilHealthy();
      return onPostgresql({ name, cluster, shutdownTimeoutMs }, async ({ processes, load }) => {
        const begunAt = performance.now();
        await Promise.all([begin(cluster, roles), killsProcess && processes.kill(0)]);
        if (!(await load.answered(minResponses, failoverTimeoutMs)))
          load.ledger.broken.push(`Fewer than ${minResponses} requests got a response during the fault`);
        // The repair happens under load too.
        for (const machine of Object.values(roles)) cluster.resume(machine);
        cluster.network.heal();
        cluster.restore();
        if (killsProcess) await processes.restart(0);
        const after = await cluster.waitUntilHealthy();
        const isReplaced = after.primary !== roles.primary;
        const note = isReplaced ? 'Another machine became the primary.' : 'The primary stayed the same.';
        return { begunAt, endedAt: performance.now(), note };
      });
    },
  }));
}
