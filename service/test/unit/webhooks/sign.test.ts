import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createWebhookSecret, webhookHeaders } from '../../../src/effects/webhooks/sign.js';

const body = JSON.stringify({ type: 'device.detached', data: { name: 'Jürgen 🦊' } });
const content = { id: '019aa4c0-5301-7e10-9f77-3d2c1b0a9f06', body };

test('a secret is whsec_ and 32 bytes of base64, never the same twice', () => {
  const secrets = Array.from({ length: 50 }, createWebhookSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('the public library accepts a signature by any of the secrets, and no other', () => {
  const [first, second, foreign] = [createWebhookSecret(), createWebhookSecret(), createWebhookSecret()];
  const headers = webhookHeaders({ ...content, at: new Date() }, [first, second]);
  for (const secret of [first, second]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(foreign).verify(body, headers)).toThrow('No matching signature');
  expect(() => new Webhook(first).verify(`${body} `, headers)).toThrow('No matching signature');
});

test('signatures equal those of the public library', () => {
  const secret = createWebhookSecret();
  const at = new Date('2026-01-02T03:04:05.678Z');
  expect(webhookHeaders({ ...content, at }, [secret])).toEqual({
    'webhook-id': content.id,
    'webhook-timestamp': '1767323045',
    'webhook-signature': new Webhook(secret).sign(content.id, at, body),
  });
});
