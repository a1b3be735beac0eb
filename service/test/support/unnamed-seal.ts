import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Returns a sealed value of format version 1, from before key IDs were added. */
export function sealUnnamed(masterSecret: string, text: string, context: string): Buffer {
  const version = Buffer.of(1);
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const key = Buffer.from(hkdfSync('sha256', masterSecret, salt, 'whorl seal', 32));
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.concat([version, Buffer.from(context)]));
  return Buffer.concat([version, salt, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}
