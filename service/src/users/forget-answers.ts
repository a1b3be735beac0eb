import { z } from 'zod';
import type { Service, Transaction } from '../service.js';
import { deleteKeptAnswer, type KeptAnswer, listKeptAnswers } from './queries/erasure.js';

/** Identifiers by which a response may refer to a user. */
export interface UserNames {
  readonly worldId: string;
  readonly externalId: string;
  /** IDs of the user and of its devices, challenges and evaluations. */
  readonly ids: readonly string[];
}

/** Must match the format in http/idempotency.ts. */
const keptBody = z.object({ body: z.string() });
const batchSize = 500;
const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/**
 * Deletes responses that are kept for idempotency and refer to an erased user. They are encrypted and indexed by
 * request, not by user, so each one from the last 24 hours is opened. A request whose response was deleted is treated
 * as new if it is repeated.
 */
export async function forgetAnswers(trx: Transaction, service: Service, names: UserNames): Promise<void> {
  const ids = new Set(names.ids);
  const external = JSON.stringify(names.externalId);
  // Imports use `id`.
  const named = [`"id":${external}`, `"external_id":${external}`, `"external_user":${external}`, `"user":${external}`];
  let after: KeptAnswer | undefined;
  do {
    const answers = await listKeptAnswers(trx, names.worldId, after, batchSize);
    for (const kept of answers) {
      const body = bodyOf(service, kept);
      const mentionsUser =
        named.some((text) => body.includes(text)) || (body.match(uuid) ?? []).some((id) => ids.has(id));
      if (mentionsUser) await deleteKeptAnswer(trx, names.worldId, kept);
    }
    after = answers.length === batchSize ? answers.at(-1) : undefined;
  } while (after);
}

function bodyOf({ vault }: Service, { answer }: KeptAnswer): string {
  return answer ? keptBody.parse(JSON.parse(vault.open(answer, 'idempotency.answer'))).body : '';
}
