import { readIndexedDb, updateIndexedDb } from './indexed-db.js';

/**
 * Opens the key pair of a scope, stored beside its saved fingerprint, and creates it on the first call (ECDSA, P-256).
 * No script can read its private key, which can only sign (Web Cryptography API, `extractable`). Rejects without
 * WebCrypto (plain http), without IndexedDB, and if IndexedDB cannot store keys: a key that lived only as long as the
 * page would prove nothing. Never settles if the database hangs.
 */
export async function openKeyPair(scope: string): Promise<CryptoKeyPair> {
  const name = `key${scope && `:${scope}`}`;
  const saved = await readIndexedDb(name);
  if (isKeyPair(saved)) return saved;
  let pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  await updateIndexedDb(name, (found) => {
    // Another tab created the key first.
    if (isKeyPair(found)) pair = found;
    return pair;
  });
  return pair;
}

function isKeyPair(saved: unknown): saved is CryptoKeyPair {
  return Object(saved).privateKey;
}
