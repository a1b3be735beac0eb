/** Signs texts that a browser keeps for the application's server, and reads them again. */
export interface Seals {
  sign(purpose: string, text: string): Promise<string>;
  read(purpose: string, signed: string): Promise<string | undefined>;
}

/** Creates the functions for keys that are derived from a secret (HKDF and HMAC, both with SHA-256). */
export function createSeals(secret: string): Seals {
  const keyOf = async (purpose: string): Promise<CryptoKey> => {
    const encoder = new TextEncoder();
    const key = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']);
    const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(purpose) };
    const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 };
    return crypto.subtle.deriveKey(derivation, key, hmac, false, ['sign', 'verify']);
  };
  return {
    async sign(purpose, text) {
      const signature = await crypto.subtle.sign('HMAC', await keyOf(purpose), new TextEncoder().encode(text));
      return `${text}.${toHex(new Uint8Array(signature))}`;
    },
    async read(purpose, signed) {
      const end = signed.lastIndexOf('.');
      const text = signed.slice(0, Math.max(end, 0));
      const signature = fromHex(signed.slice(end + 1));
      // `verify` compares in constant time (Web Cryptography, HMAC, verify).
      const isSigned =
        signature &&
        (await crypto.subtle.verify('HMAC', await keyOf(purpose), signature, new TextEncoder().encode(text)));
      return isSigned ? text : undefined;
    },
  };
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[0-9a-f]{64}$/.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
