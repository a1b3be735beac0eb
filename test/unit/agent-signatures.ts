import { calculateJwkThumbprint, exportJWK } from 'jose';

export const origin = 'https://shop.example';
export const agentOrigin = 'https://agent.example';
/** The time at which most requests are signed. */
export const now = new Date('2026-11-20T12:00:00Z');
export const nowSeconds = now.getTime() / 1000;

export interface Key {
  readonly privateKey: CryptoKey;
  readonly jwk: { kty: string; crv?: string; x?: string };
  readonly keyid: string;
}

async function makeKey(): Promise<Key> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error('Not a key pair.');
  const { kty = '', crv = '', x = '' } = await exportJWK(pair.publicKey);
  return { privateKey: pair.privateKey, jwk: { kty, crv, x }, keyid: await calculateJwkThumbprint({ kty, crv, x }) };
}

export const [key, otherKey] = await Promise.all([makeKey(), makeKey()]);

/** What to sign. Each line of the base is given, so that the test does not share the client's way of making it. */
export interface Signing {
  readonly by?: Key;
  readonly label?: string;
  readonly lines?: readonly string[];
  readonly created?: number;
  readonly expires?: number;
  readonly params?: string;
  readonly signatureAgent?: string;
}

/** The lines that an agent must sign. */
export const covered = [`"@authority": shop.example`, `"signature-agent";key="sig": "${agentOrigin}"`];

/** Returns the headers of a signed request. */
export async function sign(signing: Signing = {}): Promise<Record<string, string>> {
  const { by = key, label = 'sig', lines = covered, signatureAgent = `sig="${agentOrigin}"` } = signing;
  const { created = nowSeconds, expires = created + 60 } = signing;
  const { params = `;created=${created};expires=${expires};keyid="${by.keyid}";tag="web-bot-auth"` } = signing;
  const input = `(${lines.map((line) => line.slice(0, line.indexOf(': '))).join(' ')})${params}`;
  const base = new TextEncoder().encode([...lines, `"@signature-params": ${input}`].join('\n'));
  const bytes = Buffer.from(await crypto.subtle.sign('Ed25519', by.privateKey, base));
  return {
    'signature-input': `${label}=${input}`,
    signature: `${label}=:${bytes.toString('base64')}:`,
    ...(signatureAgent && { 'signature-agent': signatureAgent }),
  };
}

/** The answers about the agent. */
export const verified = { name: 'Agent', verified: true };
export const unverified = (problem: string, name = 'Agent') => ({ name, verified: false, problem });
