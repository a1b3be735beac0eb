import type { Database, Service } from '../service.js';
import { openHead } from './chain.js';
import { type ChainPlace, findSeal, firstHash } from './chain-queries.js';
import { checkBatch, countOutside, findHash, listChainEvents, type SuspectRow } from './verify-queries.js';

const batchSize = 20_000;

/** Result of checking the audit log. */
export interface AuditProof {
  /** Number of checked entries. */
  readonly entries: number;
  /** Last entry, as the seal has it; undefined if the log is empty. */
  readonly head: ChainPlace | undefined;
  /** Time when the chain began, if that entry is still kept. */
  readonly startedAt: Date | undefined;
  /** What is wrong, one sentence each. None if the log is as it was written. */
  readonly problems: readonly string[];
}

/**
 * Checks every entry of the audit log: that none was changed, removed, added or moved since it was written, and that the
 * log begins and ends where the seal says. Run it in a transaction that reads one state, because entries are added
 * meanwhile.
 *
 * @param anchors Earlier ends of the log that were kept elsewhere. Each must still be in it.
 */
export async function verifyAudit(
  db: Database,
  { vault }: Pick<Service, 'vault'>,
  anchors: readonly ChainPlace[] = [],
): Promise<AuditProof> {
  const seal = await findSeal(db);
  const head = openHead(vault, seal);
  const problems: string[] = [];
  const outside = await countOutside(db, head?.base.seq ?? 0);
  const { entries, last, suspects } = await checkAll(db, head?.base);
  if (!head && (entries > 0 || seal)) problems.push('The end of the log cannot be read: it was changed or removed.');
  if (outside > 0) problems.push(`${outside} entries are not part of the chain.`);
  problems.push(...describeSuspects(suspects, await erasedEntries(db)));
  const end = last ?? head?.base;
  if (head && end?.seq !== head.last.seq) {
    problems.push(`The log ends with entry ${end?.seq ?? 0}, but its last entry was ${head.last.seq}.`);
  } else if (head && end?.hash !== head.last.hash) {
    problems.push(`Entry ${head.last.seq}, the last one, is not the one that was written.`);
  }
  const events = await listChainEvents(db, ['chain_started', 'chain_restarted']);
  for (const { seq, kind, created_at } of events) {
    if (kind === 'chain_restarted') {
      problems.push(
        `Entry ${seq}: at ${created_at.toISOString()}, the end of the log could not be read. Entries before may have been changed.`,
      );
    }
  }
  problems.push(...(await checkAnchors(db, anchors, head?.base)));
  const startedAt = events.find(({ kind }) => kind === 'chain_started')?.created_at;
  return { entries, head: head?.last, startedAt, problems };
}

/** Returns the place of the last entry; undefined if the log is empty or its end cannot be read. */
export async function readHead({ db, vault }: Pick<Service, 'db' | 'vault'>): Promise<ChainPlace | undefined> {
  return openHead(vault, await findSeal(db))?.last;
}

async function checkAll(db: Database, base: ChainPlace | undefined) {
  let after = base?.hash ? base : { seq: base?.seq ?? 0, hash: firstHash };
  let last: ChainPlace | undefined;
  let entries = 0;
  const suspects: SuspectRow[] = [];
  for (;;) {
    const batch = await checkBatch(db, after, batchSize);
    suspects.push(...batch.suspects);
    entries += batch.count;
    if (!batch.last) return { entries, last, suspects };
    last = batch.last;
    after = batch.last;
  }
}

/** Returns the numbers of the entries whose user was erased, as the entries about erasures list them. */
async function erasedEntries(db: Database): Promise<ReadonlySet<number>> {
  const erasures = await listChainEvents(db, ['user_erased']);
  return new Set(
    erasures.flatMap(({ details: { entries } }) =>
      Array.isArray(entries) ? entries.filter((seq): seq is number => typeof seq === 'number') : [],
    ),
  );
}

function describeSuspects(suspects: readonly SuspectRow[], erased: ReadonlySet<number>): string[] {
  return suspects.flatMap(({ seq, before, follows, is_linked, is_about }) => {
    if (seq === before) return `Entry ${seq} is there more than once.`;
    if (!follows) return missing(Number(before) + 1, Number(seq) - 1);
    if (!is_linked) return `Entry ${seq} or the one before it was changed.`;
    if (is_about === false) return `Entry ${seq}: its user or subject was changed.`;
    if (is_about === null && !erased.has(Number(seq))) {
      return `Entry ${seq}: its user and subject were removed, but no user was erased.`;
    }
    return [];
  });
}

function missing(from: number, to: number): string {
  return from === to ? `Entry ${from} is missing.` : `Entries ${from} to ${to} are missing.`;
}

async function checkAnchors(
  db: Database,
  anchors: readonly ChainPlace[],
  base: ChainPlace | undefined,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { seq, hash } of anchors) {
    if (base && seq < base.seq) continue;
    const found = base?.seq === seq ? base.hash : await findHash(db, seq);
    if (found !== hash) problems.push(`Entry ${seq} is not the one that you kept the hash of.`);
  }
  return problems;
}
