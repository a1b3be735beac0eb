import { z } from 'zod';
import { claimContext, claimIndexes } from '../../evaluation/claims/content.js';
import type { Vault } from '../../ground/crypto/index.js';
import type { Schema } from '../../ground/db/schema/index.js';
import { totpContext } from '../../resources/admins/factors.js';
import { linkContext } from '../../resources/admins/links.js';
import { emailContext } from '../../resources/audit/audit.js';
import { headContext } from '../../resources/audit/chain.js';
import { parseEmail } from '../../resources/users/rules/contacts.js';
import { slackContext } from '../alerts/slack-queries.js';
import { lookupKeysContext } from './open-vault.js';

type KeyType = 'uuid' | 'text' | 'bytea';

/** Blind index that is stored next to the sealed text from which it is computed. */
export interface IndexColumn {
  /** Sealed column. */
  readonly from: string;
  /**
   * Returns the blind index of the text in the row with this key. Null if it cannot be computed from the text; the stored
   * index then stays as it is.
   */
  make(vault: Vault, text: string, key: Readonly<Record<string, unknown>>): Uint8Array | null;
}

/** Table with sealed values, as needed by `secrets reseal`. */
export interface SealedTable {
  readonly table: keyof Schema;
  /** Columns of the primary key, with their types. */
  readonly key: Readonly<Record<string, KeyType>>;
  /** Sealed columns, with the context of their values. */
  readonly sealed: Readonly<Record<string, string>>;
  readonly indexes?: Readonly<Record<string, IndexColumn>>;
}

const requestSchema = z.object({ metadata: z.object({ referrer: z.unknown().optional() }).nullish() });

const emailIndex: IndexColumn = {
  from: 'email',
  make: (vault, text) => vault.blindIndex(parseEmail(text)?.normalised ?? text, 'user.email'),
};
const phoneIndex: IndexColumn = { from: 'phone', make: (vault, text) => vault.blindIndex(text, 'user.phone') };
const referrerIndex: IndexColumn = {
  from: 'request',
  make(vault, text) {
    const referrer = requestSchema.parse(JSON.parse(text)).metadata?.referrer;
    return typeof referrer === 'string' ? vault.blindIndex(referrer, 'evaluation.referrer') : null;
  },
};

const claimSchema = z.object({ request: z.object({ user: z.string().optional() }) });
const claimUserIndex: IndexColumn = {
  from: 'content',
  make(vault, text, { world_id }) {
    const { user } = claimSchema.parse(JSON.parse(text)).request;
    return user === undefined ? null : claimIndexes({ vault }, z.string().parse(world_id), user)[0];
  },
};

/** All tables with sealed values. Values of a column that is missing here become unreadable with the next rotation. */
export const sealedTables: readonly SealedTable[] = [
  { table: 'key_ring', key: { key_id: 'text' }, sealed: { lookup_keys: lookupKeysContext } },
  { table: 'signing_keys', key: { kid: 'text' }, sealed: { private_key: 'project.signing_key' } },
  {
    table: 'admins',
    key: { id: 'uuid' },
    sealed: { email: emailContext, totp_secret: totpContext, totp_pending: totpContext },
    indexes: { email_mark: { from: 'email', make: (vault, text) => vault.blindIndex(text, emailContext) } },
  },
  { table: 'audit_head', key: { id: 'text' }, sealed: { seal: headContext } },
  { table: 'admin_links', key: { hash: 'bytea' }, sealed: { email: linkContext } },
  { table: 'admin_sessions', key: { hash: 'bytea' }, sealed: { notice: 'admin_session.notice' } },
  {
    table: 'webhook_endpoints',
    key: { world_id: 'uuid', id: 'uuid' },
    sealed: { secret: 'webhook_endpoint.secret', previous_secret: 'webhook_endpoint.secret' },
  },
  { table: 'slack_webhooks', key: { world_id: 'uuid' }, sealed: { url: slackContext } },
  {
    table: 'users',
    key: { world_id: 'uuid', id: 'uuid' },
    sealed: { email: 'user.email', phone: 'user.phone', former_email: 'user.email' },
    indexes: { email_mark: emailIndex, phone_mark: phoneIndex },
  },
  {
    table: 'challenge_visits',
    key: { world_id: 'uuid', id: 'uuid' },
    sealed: { return_url: 'challenge_visit.return_url' },
  },
  { table: 'notices', key: { world_id: 'uuid', id: 'uuid' }, sealed: { replaced_email: 'user.email' } },
  {
    table: 'claims',
    key: { world_id: 'uuid', id: 'uuid' },
    sealed: { content: claimContext },
    indexes: { user_index: claimUserIndex },
  },
  {
    table: 'idempotency',
    key: { world_id: 'uuid', key_id: 'uuid', route: 'text', idempotency_key: 'text' },
    sealed: { response: 'idempotency.answer' },
  },
  {
    table: 'evaluations',
    key: { world_id: 'uuid', id: 'uuid' },
    sealed: { request: 'evaluation.request' },
    indexes: { referrer_mark: referrerIndex },
  },
];

/**
 * Hashes whose texts are not stored, so they cannot be recomputed. They stay valid because the key ring keeps the keys
 * that they were made with.
 */
export const lastingHashes: Partial<Record<keyof Schema, readonly string[]>> = {
  marks: ['mark'],
  evaluations: ['user_index'],
  challenges: ['code_hash'],
  challenge_visits: ['code_hash'],
  idempotency: ['body_mark'],
  admin_identities: ['mark'],
  sign_in_failures: ['subject'],
  counters: ['subject'],
  velocity_counts: ['subject'],
  failure_baselines: ['networks'],
};

/** Plain SHA-256 of random secrets or of fingerprints, which do not depend on a master secret. */
export const plainHashes: Partial<Record<keyof Schema, readonly string[]>> = {
  api_keys: ['hash'],
  admin_sessions: ['hash'],
  admin_links: ['hash'],
  admin_recovery_codes: ['hash'],
  challenge_visits: ['link_hash', 'session_hash'],
  variants: ['digest'],
  audit_log: ['hash', 'salt', 'about'],
};
