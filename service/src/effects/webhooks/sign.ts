import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** Standard Webhooks requires 24 to 64 bytes. */
const secretBytes = 32;

/** Returns a new endpoint secret, in the format for receivers. */
export function createWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

export interface SignedContent {
  /** ID of the event, the same for every attempt. */
  readonly id: string;
  /** Time of this attempt. */
  readonly at: Date;
  readonly body: string;
}

/**
 * Returns the headers of a signed webhook (https://www.standardwebhooks.com). It has one signature per secret, so that
 * receivers can verify it with either secret during a rotation.
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
