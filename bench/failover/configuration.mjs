import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The ports of each machine. docs/high-availability.md has the same configuration for three machines. */
export const ports = { postgresql: 5432, patroni: 8008, etcd: 2379, etcdPeers: 2380 };

/**
 * Whether Patroni is older than 3.1.0, as Debian 12's is. Its client of etcd's third API can keep an outdated view of the
 * synchronous standbys after it was frozen (https://github.com/patroni/patroni/issues/2779), so it uses the second API.
 */
const hasStaleCache = isPatroniOlderThan(3, 1);

/** @typedef {{ name: string, address: string }} Machine */

/** Returns the arguments of etcd. @param {Machine} machine @param {readonly Machine[]} machines @param {string} folder */
export function etcdArguments({ name, address }, machines, folder) {
  const client = `http://${address}:${ports.etcd}`;
  const peer = `http://${address}:${ports.etcdPeers}`;
  const cluster = machines.map((each) => `${each.name}=http://${each.address}:${ports.etcdPeers}`).join(',');
  return [
    ...['--name', name, '--data-dir', join(folder, 'etcd'), '--initial-cluster', cluster],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...(hasStaleCache ? ['--enable-v2'] : []),
  ];
}

/**
 * Returns the configuration of Patroni as JSON, which is also YAML.
 *
 * @param {Machine} machine @param {readonly Machine[]} machines
 * @param {{ folder: string, programs: string, network: string }} options
 */
export function patroniConfiguration({ name, address }, machines, { folder, programs, network }) {
  return JSON.stringify({
    scope: 'whorl',
    name,
    restapi: { listen: `${address}:${ports.patroni}`, connect_address: `${address}:${ports.patroni}` },
    [hasStaleCache ? 'etcd' : 'etcd3']: { hosts: machines.map((each) => `${each.address}:${ports.etcd}`) },
    bootstrap: {
      dcs: {
        // The shortest time to live that Patroni accepts. A dead primary is replaced after it.
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        primary_start_timeout: 10,
        // A commit is reported only once a standby has it. Without a standby, nothing is committed.
        synchronous_mode: true,
        synchronous_mode_strict: true,
        // The primary continues while etcd is lost, as long as it reaches all standbys.
        failsafe_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 100,
            // A standby that does not answer stops commits until it is replaced. The default is one minute.
            wal_sender_timeout: '5s',
            wal_receiver_timeout: '5s',
            wal_log_hints: 'on',
            wal_keep_size: '1GB',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${address}:${ports.postgresql}`,
      connect_address: `${address}:${ports.postgresql}`,
      data_dir: join(folder, 'data'),
      bin_dir: programs,
      parameters: { unix_socket_directories: folder },
      pgpass: join(folder, 'pgpass'),
      pg_hba: ['local all all trust', `host all all ${network} trust`, `host replication all ${network} trust`],
      // Only the network of the benchmark reaches these servers.
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
        rewind: { username: 'postgres' },
      },
    },
  });
}

/** Returns the configuration of HAProxy, which leads to the primary. @param {readonly Machine[]} machines @param {number} port */
export function haproxyConfiguration(machines, port) {
  const servers = machines.map(
    ({ name, address }) => `  server ${name} ${address}:${ports.postgresql} check port ${ports.patroni}`,
  );
  return [
    'global',
    '  maxconn 400',
    'defaults',
    '  mode tcp',
    '  timeout connect 3s',
    '  timeout check 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk GET /primary',
    '  http-check expect status 200',
    // Connections to a former primary end, so that the service opens new ones.
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...servers,
    '',
  ].join('\n');
}

/** @param {number} major @param {number} minor */
function isPatroniOlderThan(major, minor) {
  const printed = execFileSync('patroni', ['--version'], { encoding: 'utf8' });
  const [, foundMajor, foundMinor] = /(\d+)\.(\d+)/.exec(printed) ?? [];
  return Number(foundMajor) < major || (Number(foundMajor) === major && Number(foundMinor) < minor);
}
