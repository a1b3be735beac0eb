import { readIndexedDb, updateIndexedDb } from './indexed-db.js';

/**
 * The key pair of a scope, beside its saved fingerprint: ECDSA on P-256, made on the first call. No script can read its
 * private half, ours neither: it can only be signed with (Web Cryptography API, `extractable`). Rejects without WebCrypto
 * (plain http), without IndexedDB, and where that takes no keys: one that lived as long as the page would prove nothing
 * to anybody. Where the database hangs, so does this.
 */
export async function openKeyPair(scope: string): Promise<CryptoKeyPair> {
  const name = `key${scope && `:${scope}`}`;
  const saved = await readIndexedDb(name);
  if (isKeyPair(saved)) return saved;
  let pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  await updateIndexedDb(name, (found) => {
    // Another tab was first.
    if (isKeyPair(found)) pair = found;
    return pair;
  });
  return pair;
}

function isKeyPair(saved: unknown): saved is CryptoKeyPair {
  return Object(saved).privateKey;
}
