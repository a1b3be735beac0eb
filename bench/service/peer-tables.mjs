import { createHash } from 'node:crypto';
import { query } from './postgresql.mjs';

/**
 * Creates the peer's tables in a separate schema: the same columns as the service's, and no index except the primary
 * key.
 *
 * @param {string} url
 */
export async function makePeerTables(url) {
  const keys = Object.entries(primaryKeys);
  await query(
    url,
    [
      'create schema peer',
      ...keys.map(([table]) => `create table peer.${table} as select * from public.${table}`),
      ...keys.map(([table, columns]) => `alter table peer.${table} add primary key (${columns})`),
    ].join(';'),
  );
  await query(url, 'vacuum (analyze)');
}

const primaryKeys = {
  users: 'world_id, id',
  user_addresses: 'world_id, user_id, network',
  identities: 'world_id, id',
  variants: 'world_id, id',
  devices: 'world_id, id',
  device_variants: 'world_id, device_id, variant_id',
  evaluations: 'world_id, id',
  marks: 'world_id, identity_id, cause, mark',
};

/** A statement, and its values for the request of a known device. */
/** @typedef {{ name: string, text: string, values: (known: Known) => unknown[] }} Statement */

/**
 * @typedef {object} Known The rows of a known device, by the rules of the population.
 * @property {string} user
 * @property {string} identity
 * @property {string} variant
 * @property {string} device
 * @property {string} network
 * @property {string} evaluation
 * @property {string} worldId
 * @property {string} externalUser
 * @property {Date} now
 * @property {Buffer} request
 */

/** @type {Record<string, Statement>} */
const byKey = {
  variant: {
    name: 'variant',
    text: 'select * from peer.variants where world_id = $1 and id = $2',
    values: (known) => [known.worldId, known.variant],
  },
  identity: {
    name: 'identity',
    text: 'select * from peer.identities where world_id = $1 and id = $2',
    values: (known) => [known.worldId, known.identity],
  },
  user: {
    name: 'user',
    text: 'select * from peer.users where world_id = $1 and id = $2',
    values: (known) => [known.worldId, known.user],
  },
  device: {
    name: 'device',
    text: 'select * from peer.devices where world_id = $1 and id = $2',
    values: (known) => [known.worldId, known.device],
  },
  deviceVariant: {
    name: 'deviceVariant',
    text: 'select * from peer.device_variants where world_id = $1 and device_id = $2 and variant_id = $3',
    values: (known) => [known.worldId, known.device, known.variant],
  },
  mark: {
    name: 'mark',
    text: 'select * from peer.marks where world_id = $1 and identity_id = $2 and cause = $3 and mark = $4',
    values: (known) => [known.worldId, known.identity, 'blocked', known.request],
  },
  address: {
    name: 'address',
    text: 'select * from peer.user_addresses where world_id = $1 and user_id = $2 and network = $3',
    values: (known) => [known.worldId, known.user, known.network],
  },
};

/**
 * One row for each row and sub-select that the service reads for a known device (`loadState` in
 * service/src/evaluation/queries/evaluation-state.ts).
 *
 * @type {readonly Statement[]}
 */
export const reads = [
  byKey.variant,
  byKey.identity,
  byKey.user,
  byKey.device,
  // knows_variant
  byKey.deviceVariant,
  // address_trusted
  byKey.address,
  // is_shared: by another user, by an erased account
  byKey.device,
  byKey.mark,
  // is_busy_address
  byKey.address,
  // is_active_elsewhere
  byKey.device,
].filter((statement) => statement !== undefined);

/** @type {readonly Statement[]} */
export const writes = [
  {
    name: 'touchDevice',
    text: `update peer.devices set variant_id = $2, last_ip = $3, last_network = $3, last_seen_at = $4, updated_at = $4
      where world_id = $5 and id = $1`,
    values: (known) => [known.device, known.variant, known.network, known.now, known.worldId],
  },
  {
    name: 'touchAddress',
    text: `insert into peer.user_addresses (user_id, world_id, network, seen_at) values ($1, $2, $3, $4)
      on conflict (world_id, user_id, network) do update set seen_at = excluded.seen_at`,
    values: (known) => [known.user, known.worldId, known.network, known.now],
  },
  {
    name: 'insertEvaluation',
    text: `insert into peer.evaluations (id, world_id, user_id, external_user, device_id, identity_id, variant_id, action,
        verdict, reasons, findings, request, ip, network, confidence, matched_by, changed, claimed, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, 'login', 'allow', '[]', '[]', $8, $9, $9, 1, 'exact', '[]', false, $10)`,
    values: (known) => [
      known.evaluation,
      known.worldId,
      known.user,
      known.externalUser,
      known.device,
      known.identity,
      known.variant,
      known.request,
      known.network,
      known.now,
    ],
  },
];

/**
 * Returns the rows of the device at an address, by the rules of the population.
 *
 * @param {string} worldId
 * @param {{ user: string, ip?: string | undefined, fingerprint: string }} body
 * @param {string} evaluation
 * @returns {Known}
 */
export function rowsOf(worldId, { user, ip = '', fingerprint }, evaluation) {
  const [, high = 0, middle = 0, low = 0] = ip.split('.').map(Number);
  const n = high * 65_536 + middle * 256 + low;
  const id = (/** @type {string} */ kind, /** @type {number} */ number) =>
    createHash('md5').update(`${worldId} ${kind} ${number}`).digest('hex');
  return {
    user: id('user', Math.floor(n / 2)),
    identity: id('identity', n),
    variant: id('variant', n),
    device: id('device', n),
    network: ip,
    evaluation,
    worldId,
    externalUser: user,
    now: new Date(),
    request: Buffer.from(fingerprint.padEnd(320)),
  };
}
