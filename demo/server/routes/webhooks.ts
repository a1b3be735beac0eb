import { verifyWebhook, WhorlVerificationError } from 'whorl/server';
import type { Handler } from '../demo.js';

export const WEBHOOK_PATH = '/webhooks';

/**
 * POST /webhooks: events from the service. An application would process each `webhook-id` once here. The demo
 * shows the event in every visitor's side panel.
 */
export const receiveWebhook: Handler = async (c) => {
  const { exchanges, webhookSecret } = c.var.demo;
  // The signature covers the body as it was sent, so it is read as text instead of JSON.
  const body = await c.req.text();
  try {
    const event = await verifyWebhook(body, c.req.raw.headers, webhookSecret);
    // An event that is delivered twice has the same ID both times, and is shown once.
    const id = c.req.header('webhook-id') ?? '';
    const about = { from: 'service', to: 'server', method: 'POST', path: WEBHOOK_PATH } as const;
    exchanges.addForAll({ id, ...about, request: event, status: 204 });
    return c.body(null, 204);
  } catch (error) {
    if (error instanceof WhorlVerificationError) return c.body(null, 400);
    throw error;
  }
};
