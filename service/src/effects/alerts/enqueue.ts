import type { World } from '../../resources/projects/worlds.js';
import { enqueue } from '../../resources/queue/index.js';
import type { Transaction, UnitOfWork } from '../../resources/service.js';
import { insertMessage } from './queries.js';
import type { MessageContent } from './rules/message-content.js';

export interface Receivers {
  readonly emails: readonly string[];
  readonly slack: boolean;
}

/** Queues a message to each receiver, each with a job of its own, so that repeating one that failed sends nothing twice. */
export async function enqueueMessages(
  { db, caller, newId, now }: UnitOfWork<Transaction, World>,
  { emails, slack }: Receivers,
  content: MessageContent,
): Promise<void> {
  const { worldId } = caller;
  for (const email of [...new Set(emails), ...(slack ? [undefined] : [])]) {
    const id = newId();
    await insertMessage(db, worldId, { id, email, content, now: now() });
    await enqueue(db, 'send_alert', { worldId, messageId: id });
  }
}
