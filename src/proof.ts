import { inTime } from './storage/indexed-db.js';
import { openKeyPair } from './storage/key-pair.js';
import { stringify } from './stringify.js';

/**
 * Starts to prepare a proof while the browser is read: opens the key, and then requests a nonce if there is a key.
 *
 * @returns a function that creates the proof of a fingerprint. It resolves to undefined if there is no key, if the
 *   database takes longer than 200 ms from the call, or if there is no nonce. Never rejects.
 */
export function startProof(
  scope: string,
  askNonce: () => Promise<string | undefined>,
): (fingerprint: string) => Promise<string | undefined> {
  const opening = openKeyPair(scope);
  const asking = opening.then(askNonce);
  // The failure is handled where the proof is created.
  asking.catch(() => undefined);
  return async (fingerprint) => {
    const pair = await inTime(opening);
    return pair && asking.then((nonce) => nonce && sign(pair, nonce, fingerprint)).catch(() => undefined);
  };
}

/**
 * Creates a compact JSON Web Signature (RFC 7515) with ES256 (RFC 7518, section 3.4). Its header contains the public
 * key, and the key's thumbprint (RFC 7638) as `kid`.
 */
async function sign({ privateKey, publicKey }: CryptoKeyPair, nonce: string, fingerprint: string): Promise<string> {
  const { subtle } = crypto;
  const { crv, kty, x, y } = await subtle.exportKey('jwk', publicKey);
  // The thumbprint requires this order.
  const jwk = { crv, kty, x, y };
  const kid = encode(await subtle.digest('SHA-256', jsonOf(jwk)));
  const header = { alg: 'ES256', typ: 'whorl-proof+jwt', kid, jwk };
  const claims = { nonce, origin, fingerprint, iat: Date.now() / 1000 };
  const text = [header, claims].map((part) => encode(jsonOf(part))).join('.');
  return `${text}.${encode(await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytesOf(text)))}`;
}

function jsonOf(value: object): Uint8Array<ArrayBuffer> {
  return bytesOf(stringify(value));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Encodes bytes as base64url without padding (RFC 4648, section 5). */
function encode(bytes: ArrayBuffer | Uint8Array): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
}
