import type { IncomingMessage, ServerResponse } from 'node:http';
import { verifyWebhook, WhorlVerificationError } from 'whorl/server';
import type { Demo } from '../demo.js';
import { shorten } from '../shorten.js';
import { readBody } from './json.js';
import { Refusal } from './refusal.js';

export const WEBHOOK_PATH = '/webhooks';
/** A signal of account sharing has all devices of a user. */
const LARGEST_EVENT_BYTES = 256 * 1024;

/**
 * POST /webhooks: what the service tells this server of, as it happens. What is not signed is refused. An application
 * would do its work here, once for each `webhook-id`; the demo shows the event in everybody's side panel.
 */
export async function answerWebhook(
  { exchanges, webhookSecret }: Demo,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    // As it came: parsed and written again, it would have another signature.
    const body = await readBody(request, LARGEST_EVENT_BYTES);
    const event = await verifyWebhook(body, request.headers, webhookSecret);
    // Known from its id when it comes twice.
    const id = String(request.headers['webhook-id']);
    const about = { from: 'service', to: 'server', method: 'POST', path: WEBHOOK_PATH } as const;
    exchanges.tellAll({ id, ...about, request: shorten(event), status: 204 });
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WhorlVerificationError || error instanceof Refusal)) throw error;
    response.writeHead(error instanceof Refusal ? error.status : 400).end();
  }
}
