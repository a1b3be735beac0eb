import { inTime } from './storage/indexed-db.js';
import { openKeyPair } from './storage/key-pair.js';

/**
 * Begins to get ready for a proof, while the browser is read: opens the key, and then asks for a nonce, where there is a
 * key to use it with.
 *
 * @returns what makes the proof of a fingerprint; undefined where there is no key, where the database takes longer than
 *   200 ms from then on, and where there is no nonce. Never rejects.
 */
export function startProof(
  scope: string,
  askNonce: () => Promise<string | undefined>,
): (fingerprint: string) => Promise<string | undefined> {
  const opening = openKeyPair(scope);
  const asking = opening.then(askNonce);
  // Told where the proof is made.
  asking.catch(() => undefined);
  return async (fingerprint) => {
    const pair = await inTime(opening);
    return pair && asking.then((nonce) => nonce && sign(pair, nonce, fingerprint)).catch(() => undefined);
  };
}

/**
 * A compact JSON Web Signature (RFC 7515) with ES256 (RFC 7518, section 3.4). Its header has the public key, and that
 * key's thumbprint (RFC 7638) as `kid`.
 */
async function sign({ privateKey, publicKey }: CryptoKeyPair, nonce: string, fingerprint: string): Promise<string> {
  const { subtle } = crypto;
  const { crv, kty, x, y } = await subtle.exportKey('jwk', publicKey);
  // In the order of the thumbprint's.
  const jwk = { crv, kty, x, y };
  const kid = encode(await subtle.digest('SHA-256', bytesOf(JSON.stringify(jwk))));
  const header = { alg: 'ES256', typ: 'whorl-proof+jwt', kid, jwk };
  const claims = { nonce, origin, fingerprint, iat: Date.now() / 1000 };
  const text = [header, claims].map((part) => encode(bytesOf(JSON.stringify(part)))).join('.');
  return `${text}.${encode(await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytesOf(text)))}`;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** As base64url without padding (RFC 4648, section 5). */
function encode(bytes: ArrayBuffer | Uint8Array): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
}
