import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import { z } from 'zod';
import type { Database, Service, Transaction } from '../service.js';
import { findProject } from './find-project.js';
import { lockProjects, selectProjects } from './queries/projects.js';
import {
  endPublication,
  insertSigningKey,
  listPublicKeys,
  listSigningKeys,
  type SigningKeyRow,
} from './queries/signing-keys.js';
import { type Change, logChanges } from './setting-log.js';

export const signingAlgorithm = 'ES256';
export const signingKeyContext = 'project.signing_key';
/** How long a token is valid: so long the customer's server may take to consume the evaluation. */
export const evaluationLifetimeSeconds = 300;

const secondMs = 1000;
/** How long a process goes on with the keys that it has read. */
const cacheMs = 10 * secondMs;
/**
 * A new key is published so long before it signs: above the time that processes and HTTP caches keep what they know, and
 * that clients wait before they fetch keys anew (30 s with jose).
 */
const leadMs = 60 * secondMs;
/** After it signed for the last time, a key stays published until its last token has expired, with a minute to spare. */
const overlapMs = (evaluationLifetimeSeconds + 60) * secondMs;

type ImportedKey = Awaited<ReturnType<typeof importJWK>>;

export interface SigningKey {
  readonly kid: string;
  readonly key: ImportedKey;
}

export interface RotatedSigningKey {
  /** Name of the project. */
  readonly project: string;
  /** Of the new key. */
  readonly kid: string;
  readonly signsFrom: Date;
  /** Until when the key before it is published. */
  readonly previousUntil: Date;
}

interface Known {
  readonly readAt: Date;
  readonly keys: Promise<readonly (SigningKey & { readonly signsFrom: Date })[]>;
}

/** By project. */
const caches = new WeakMap<Service['db'], Map<string, Known>>();

/** Returns the JSON Web Key Set (RFC 7517) with which anyone can check the tokens of all projects. */
export async function publicKeys({ db, now }: Service): Promise<{ keys: Record<string, unknown>[] }> {
  return { keys: await listPublicKeys(db, now()) };
}

/** Returns the key that a project's tokens are signed with at this moment. */
export async function signingKeyOf(service: Service, projectId: string): Promise<SigningKey> {
  const keys = await readSigningKeys(service, projectId);
  const now = service.now();
  // The newest that may sign. A clock that is behind by more than the lead finds none, and takes the oldest.
  const key = keys.find(({ signsFrom }) => signsFrom <= now) ?? keys.at(-1);
  if (!key) throw new Error(`The project ${projectId} has no signing key: "keys rotate-signing" creates one.`);
  return key;
}

function readSigningKeys(service: Service, projectId: string): Known['keys'] {
  const { db } = service;
  const cache = caches.get(db) ?? new Map<string, Known>();
  caches.set(db, cache);
  const now = service.now();
  const known = cache.get(projectId);
  if (known && Math.abs(now.getTime() - known.readAt.getTime()) < cacheMs) return known.keys;
  const keys = listSigningKeys(db, projectId, now).then((rows) =>
    Promise.all(rows.map((row) => importSigningKey(service, row))),
  );
  cache.set(projectId, { readAt: now, keys });
  keys.catch(() => cache.delete(projectId));
  return keys;
}

async function importSigningKey({ vault }: Service, { kid, private_key, signs_from }: SigningKeyRow) {
  const jwk = z.looseObject({ kty: z.string() }).parse(JSON.parse(vault.open(private_key, signingKeyContext)));
  return { kid, signsFrom: signs_from, key: await importJWK(jwk, signingAlgorithm) };
}

/**
 * Creates a new signing key for a project, or for each. It is published at once, signs a minute later in all processes,
 * and the key before it stays published until its last token has expired.
 *
 * @param input.project Name or id. Default: all projects.
 * @param input.isLeaked Whether the key before it leaked: then the new one signs at once, the other is no longer
 *   published, and tokens that it signed are refused.
 * @throws OperatorError if there is no such project.
 */
export async function rotateSigningKeys(
  service: Service,
  { project, isLeaked = false, changedBy }: { project?: string; isLeaked?: boolean } & Change,
): Promise<RotatedSigningKey[]> {
  const rotated = await service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const projects = project === undefined ? await selectProjects(trx) : [await findProject(trx, project)];
    const keys: RotatedSigningKey[] = [];
    for (const { id: projectId, name } of projects) {
      const key = await rotateSigningKey(service, trx, projectId, isLeaked);
      const changes = { signing_key_rotated: { from: null, to: key.kid } };
      await logChanges(trx, service, { projectId, changedBy, changes });
      keys.push({ project: name, ...key });
    }
    return keys;
  });
  caches.delete(service.db);
  return rotated;
}

async function rotateSigningKey(
  service: Service,
  trx: Transaction,
  projectId: string,
  isLeaked: boolean,
): Promise<Omit<RotatedSigningKey, 'project'>> {
  const now = service.now();
  const signsFrom = new Date(now.getTime() + (isLeaked ? 0 : leadMs));
  const previousUntil = isLeaked ? now : new Date(signsFrom.getTime() + overlapMs);
  await endPublication(trx, projectId, previousUntil);
  const kid = await writeSigningKey(service, trx, { projectId, signsFrom });
  return { kid, signsFrom, previousUntil };
}

/** Creates a P-256 key for ES256 (RFC 7518), named by its thumbprint (RFC 7638), and returns its name. */
export async function writeSigningKey(
  { vault, now }: Pick<Service, 'vault' | 'now'>,
  db: Database,
  { projectId, signsFrom }: { readonly projectId: string; readonly signsFrom: Date },
): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  await insertSigningKey(db, {
    kid,
    project_id: projectId,
    private_key: vault.seal(JSON.stringify({ ...(await exportJWK(privateKey)), kid }), signingKeyContext),
    public_key: JSON.stringify({ ...jwk, kid, alg: signingAlgorithm, use: 'sig' }),
    created_at: now(),
    signs_from: signsFrom,
    published_until: null,
  });
  return kid;
}
