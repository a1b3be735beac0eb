import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** Standard Webhooks asks for 24 to 64 bytes. */
const secretBytes = 32;

/** A new secret of an endpoint, as receivers are given it. */
export function createWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

export interface SignedContent {
  /** The same for each attempt. */
  readonly id: string;
  /** Of this attempt. */
  readonly at: Date;
  readonly body: string;
}

/**
 * The headers that make a body a signed webhook (https://www.standardwebhooks.com): one signature for each secret, so that a receiver
 * finds the one it knows while they are rotated.
 */
export function webhookHeaders({ id, at, body }: SignedContent, secrets: readonly string[]): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
