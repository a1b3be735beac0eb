import { groupBy } from '../../ground/group-by.js';
import type { Database, Service, Transaction } from '../../resources/service.js';
import { listDays, listKeys, readFingerprints, type SeenDay } from './queries.js';
import type { Visit } from './rules/pairs.js';
import { seeded } from './rules/random.js';
import { readValues, type Values } from './rules/scoring.js';
import type { Sample, StudiedKey } from './rules/study.js';

export interface CollectOptions {
  /** Maximum number of keys. They bound the memory that the study needs. */
  readonly maxKeys: number;
  /** Where the sample of keys begins, if there are more. */
  readonly seed: number;
}

/** Keys that are read at a time. */
const pageSize = 50;
/** Visits of a key that are kept: the first, the last, and others drawn at random. */
const maxVisits = 5;
/** Other keys of the same user and day that are compared with a key. */
const maxBesides = 3;

/**
 * Reads a random sample of a world's keys, and what was seen with them, in one read-only transaction. Memory is bounded:
 * it reads a page of keys at a time, and keeps few visits of each.
 */
export function collectSample(service: Service, worldId: string, options: CollectOptions): Promise<Sample> {
  return service.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((db) => readSample(db, worldId, options));
}

async function readSample(db: Transaction, worldId: string, { maxKeys, seed }: CollectOptions): Promise<Sample> {
  const random = seeded(seed);
  const keys = new Map<string, StudiedKey>();
  let unreadable = 0;
  let read = 0;
  let isPart = false;
  for await (const page of pagesOf(db, worldId, random)) {
    const taken = page.slice(0, maxKeys - read);
    read += taken.length;
    const found = await readPage(db, worldId, taken, seed);
    for (const [thumbprint, key] of found.keys) keys.set(thumbprint, key);
    unreadable += found.unreadable;
    isPart = taken.length < page.length;
    if (isPart) break;
  }
  // Databases may sort texts differently. The same keys and seed give the same report on all of them.
  const sorted = [...keys].sort(([one], [other]) => (one < other ? -1 : 1));
  return { keys: sorted.map(([, key]) => key), unreadable, isPart };
}

/** Pages of keys, from a random one on. Thumbprints are hashes, so that their order is random as well. */
async function* pagesOf(db: Database, worldId: string, random: () => number): AsyncGenerator<string[]> {
  const start = Buffer.from(Array.from({ length: 32 }, () => random() * 256)).toString('base64url');
  for (const { from, until } of [
    { from: start, until: undefined },
    { from: '', until: start },
  ]) {
    let after = from;
    for (;;) {
      const page = await listKeys(db, worldId, { after, until, limit: pageSize });
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) break;
      after = last;
    }
  }
}

interface ReadPage {
  /** By thumbprint. */
  readonly keys: readonly (readonly [string, StudiedKey])[];
  readonly unreadable: number;
}

interface Chosen {
  readonly thumbprint: string;
  readonly days: readonly SeenDay[];
  readonly besides: readonly (readonly [SeenDay, SeenDay])[];
  readonly sharing: StudiedKey['sharing'];
}

async function readPage(db: Database, worldId: string, keys: readonly string[], seed: number): Promise<ReadPage> {
  const days = await listDays(db, worldId, keys);
  const byKey = groupBy(days, ({ key }) => key);
  const byUserDay = groupBy(days, ({ user_id, day }) => `${user_id} ${day}`);
  const byIdentity = groupBy(days, ({ identity_id }) => identity_id);
  const chosen = keys.flatMap((key): Chosen[] => {
    const own = byKey.get(key);
    const newest = own?.at(-1);
    if (!own || !newest) return [];
    // Depends on the key alone, so that the order of the pages does not matter.
    const kept = chooseDays(own, seeded(seed + Buffer.from(key).readUInt32BE()));
    const besides = own.flatMap((seen): (readonly [SeenDay, SeenDay])[] => {
      const other = byUserDay.get(`${seen.user_id} ${seen.day}`)?.find((candidate) => candidate.key !== key);
      return other ? [[seen, other]] : [];
    });
    const sharing = sharingOf(own, byIdentity.get(newest.identity_id) ?? []);
    return [{ thumbprint: key, days: kept, besides: besides.slice(-maxBesides), sharing }];
  });
  return toStudied(db, worldId, { chosen, byKey });
}

/** Keeps the first and the last day, one drawn at random with the next, and another. */
function chooseDays(days: readonly SeenDay[], random: () => number): SeenDay[] {
  if (days.length <= maxVisits) return [...days];
  const at = Math.floor(random() * (days.length - 1));
  const places = new Set([0, days.length - 1, at, at + 1, Math.floor(random() * days.length)]);
  return days.filter((_, place) => places.has(place));
}

/** Returns whether other keys have the same identity, and whether one was in use between the first and the last day. */
function sharingOf(own: readonly SeenDay[], ofIdentity: readonly SeenDay[]): StudiedKey['sharing'] {
  const others = ofIdentity.filter(({ key }) => key !== own[0]?.key);
  if (others.length === 0) return 'none';
  const [first, last] = [own[0]?.day ?? 0, own.at(-1)?.day ?? 0];
  return others.some(({ day }) => first < day && day < last) ? 'overlapping' : 'another';
}

async function toStudied(
  db: Database,
  worldId: string,
  { chosen, byKey }: { readonly chosen: readonly Chosen[]; readonly byKey: ReadonlyMap<string, readonly SeenDay[]> },
): Promise<ReadPage> {
  const wanted = chosen.flatMap(({ days, besides }) => [...days, ...besides.flat()].map((seen) => seen.variant_id));
  const texts = await readFingerprints(db, worldId, [...new Set(wanted)]);
  const values = new Map<string, Values>();
  for (const [id, text] of texts) {
    const read = readValues(text);
    if (read) values.set(id, read);
  }
  const keys = chosen.flatMap(({ thumbprint, days, besides, sharing }): (readonly [string, StudiedKey])[] => {
    const all = byKey.get(thumbprint) ?? [];
    const visits = days.flatMap(({ variant_id, day }): Visit[] => {
      const read = values.get(variant_id);
      return read ? [{ day, fingerprint: { values: read } }] : [];
    });
    if (visits.length === 0) return [];
    const studied: StudiedKey = {
      visits,
      sharing,
      users: new Set(all.map(({ user_id }) => user_id)),
      identities: new Set(all.map(({ identity_id }) => identity_id)).size,
      besides: besides.flatMap(([{ variant_id: one }, { variant_id: other }]) => {
        const [a, b] = [values.get(one), values.get(other)];
        return a && b ? [{ a, b, days: 0 }] : [];
      }),
    };
    return [[thumbprint, studied]];
  });
  return { keys, unreadable: texts.size - values.size };
}
