import { z } from 'zod';
import type { Service, Transaction } from '../../resources/service.js';
import { deleteStoredResponse, listStoredResponses, type StoredResponse } from './queries.js';

/** Identifiers of a user that a response may contain. */
export interface UserNames {
  readonly worldId: string;
  readonly externalId: string;
  /** IDs of the user and of its devices, challenges and evaluations. */
  readonly ids: readonly string[];
}

/** Must match the format in http/idempotency.ts. */
const storedBody = z.object({ body: z.string() });
const batchSize = 500;
const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/**
 * Deletes responses that are stored for idempotency and refer to an erased user. They are encrypted and indexed by
 * request, not by user, so each one from the last 24 hours is opened. A request whose response was deleted is treated
 * as new if it is repeated.
 */
export async function forgetResponses(trx: Transaction, service: Service, names: UserNames): Promise<void> {
  const ids = new Set(names.ids);
  const external = JSON.stringify(names.externalId);
  // Imports use `id`.
  const named = [`"id":${external}`, `"external_id":${external}`, `"external_user":${external}`, `"user":${external}`];
  let after: StoredResponse | undefined;
  do {
    const responses = await listStoredResponses(trx, names.worldId, after, batchSize);
    for (const stored of responses) {
      const body = bodyOf(service, stored);
      const mentionsUser =
        named.some((text) => body.includes(text)) || (body.match(uuid) ?? []).some((id) => ids.has(id));
      if (mentionsUser) await deleteStoredResponse(trx, names.worldId, stored);
    }
    after = responses.length === batchSize ? responses.at(-1) : undefined;
  } while (after);
}

function bodyOf({ vault }: Service, { response }: StoredResponse): string {
  return response ? storedBody.parse(JSON.parse(vault.open(response, 'idempotency.answer'))).body : '';
}
