import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import { z } from 'zod';
import { type Database, perService, type Service, type Transaction } from '../service.js';
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
const signingKeyContext = 'project.signing_key';
/** Lifetime of an evaluation token, in seconds: the time in which the customer's server must consume the evaluation. */
export const evaluationLifetimeSeconds = 300;

const secondMs = 1000;
/** Time for which a process caches signing keys. */
const cacheMs = 10 * secondMs;
/**
 * Time between a new key's publication and its first use. It is longer than processes and HTTP caches keep keys, and
 * longer than clients wait before they fetch keys again (30 s with jose).
 */
const leadMs = 60 * secondMs;
/** A key stays published after its last use until its last token has expired, plus one minute. */
const overlapMs = (evaluationLifetimeSeconds + 60) * secondMs;

type ImportedKey = Awaited<ReturnType<typeof importJWK>>;

export interface SigningKey {
  readonly kid: string;
  readonly key: ImportedKey;
}

export interface RotatedSigningKey {
  /** Project name. */
  readonly project: string;
  /** Key ID of the new key. */
  readonly kid: string;
  readonly signsFrom: Date;
  /** Time until which the previous key is published. */
  readonly previousUntil: Date;
}

interface Known {
  readonly readAt: Date;
  readonly keys: Promise<readonly (SigningKey & { readonly signsFrom: Date })[]>;
}

/** By project. */
const cacheOf = perService(() => new Map<string, Known>());

/** Returns the JSON Web Key Set (RFC 7517) for verifying the tokens of all projects. */
export async function publicKeys({ db, now }: Service): Promise<{ keys: Record<string, unknown>[] }> {
  return { keys: await listPublicKeys(db, now()) };
}

/** Returns the key that currently signs a project's tokens. */
export async function signingKeyOf(service: Service, projectId: string): Promise<SigningKey> {
  const keys = await readSigningKeys(service, projectId);
  const now = service.now();
  // Uses the newest key that may sign. If the clock is behind by more than the lead time, falls back to the oldest.
  const key = keys.find(({ signsFrom }) => signsFrom <= now) ?? keys.at(-1);
  if (!key) throw new Error(`The project ${projectId} has no signing key. Create one with "keys rotate-signing".`);
  return key;
}

function readSigningKeys(service: Service, projectId: string): Known['keys'] {
  const cache = cacheOf(service);
  const now = service.now();
  const known = cache.get(projectId);
  if (known && Math.abs(now.getTime() - known.readAt.getTime()) < cacheMs) return known.keys;
  const keys = listSigningKeys(service.db, projectId, now).then((rows) =>
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
 * Creates a new signing key for one project or for all. It is published at once and used after one minute, when all
 * processes know it. The previous key stays published until its last token has expired.
 *
 * @param input.project Name or ID. Default: all projects.
 * @param input.isLeaked Whether the previous key leaked. If so, the new one is used at once, the previous one is no
 *   longer published, and its tokens are rejected. Default: false.
 * @throws OperatorError if the project does not exist.
 */
export async function rotateSigningKeys(
  service: Service,
  { project, isLeaked = false, changedBy, network }: { project?: string; isLeaked?: boolean } & Change,
): Promise<RotatedSigningKey[]> {
  const rotated = await service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const projects = project === undefined ? await selectProjects(trx) : [await findProject(trx, project)];
    const keys: RotatedSigningKey[] = [];
    for (const { id: projectId, name } of projects) {
      const key = await rotateSigningKey(service, trx, projectId, isLeaked);
      const changes = { signing_key_rotated: { from: null, to: key.kid } };
      await logChanges(trx, service, { projectId, changedBy, network, changes });
      keys.push({ project: name, ...key });
    }
    return keys;
  });
  cacheOf(service).clear();
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

/** Creates a P-256 key for ES256 (RFC 7518). Returns its ID, which is its thumbprint (RFC 7638). */
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
