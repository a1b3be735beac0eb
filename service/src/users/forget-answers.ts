import { z } from 'zod';
import type { Service, Transaction } from '../service.js';
import { deleteKeptAnswer, type KeptAnswer, listKeptAnswers } from './queries/erasure.js';

/** What an answer may tell of a user by. */
export interface UserNames {
  readonly worldId: string;
  readonly externalId: string;
  /** Of the user, and of its devices, challenges and evaluations. */
  readonly ids: readonly string[];
}

/** As it is sealed in http/idempotency.ts. */
const keptBody = z.object({ body: z.string() });
const batchSize = 500;
const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/**
 * Forgets the answers kept for idempotency that tell of an erased user. They are sealed and named after requests, not
 * users, so that each one of the last 24 h is opened. A forgotten request that is repeated is a new one.
 */
export async function forgetAnswers(trx: Transaction, service: Service, names: UserNames): Promise<void> {
  const ids = new Set(names.ids);
  const external = JSON.stringify(names.externalId);
  // `id` is how an import names them.
  const named = [`"id":${external}`, `"external_id":${external}`, `"external_user":${external}`, `"user":${external}`];
  let after: KeptAnswer | undefined;
  do {
    const answers = await listKeptAnswers(trx, names.worldId, after, batchSize);
    for (const kept of answers) {
      const body = bodyOf(service, kept);
      const tells = named.some((text) => body.includes(text)) || (body.match(uuid) ?? []).some((id) => ids.has(id));
      if (tells) await deleteKeptAnswer(trx, names.worldId, kept);
    }
    after = answers.length === batchSize ? answers.at(-1) : undefined;
  } while (after);
}

function bodyOf({ vault }: Service, { answer }: KeptAnswer): string {
  return answer ? keptBody.parse(JSON.parse(vault.open(answer, 'idempotency.answer'))).body : '';
}
