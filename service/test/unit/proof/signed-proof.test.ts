import { CompactSign, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { readSignedProof } from '../../../src/ground/crypto/index.js';
import { holdKey } from '../../support/proof.js';

const holder = await holdKey();
const details = { nonce: 'n', origin: 'https://shop.example', fingerprint: 'w1.test', iat: 1_795_000_000.5 };

test('is read with the thumbprint of its key', async () => {
  expect(await readSignedProof(await holder.prove(details))).toEqual({
    thumbprint: holder.thumbprint,
    payload: {
      nonce: 'n',
      origin: 'https://shop.example',
      fingerprint: 'w1.test',
      madeAt: new Date(1_795_000_000_500),
    },
  });
});

/** Returns a correctly signed proof with an invalid header or invalid payload. */
async function forged(header: object, payload: unknown = details, algorithm = 'ES256'): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm);
  const jwk = await exportJWK(publicKey);
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: algorithm, typ: 'whorl-proof+jwt', kid: holder.thumbprint, jwk, ...header })
    .sign(privateKey);
}

async function parts(): Promise<[header: string, payload: string, signature: string]> {
  const [header = '', payload = '', signature = ''] = (await holder.prove(details)).split('.');
  return [header, payload, signature];
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const wrong: Record<string, () => Promise<string>> = {
  'no proof': async () => 'proof',
  'no text at all': async () => '',
  'only dots': async () => '..',
  'no signature': async () => (await parts()).slice(0, 2).join('.').concat('.'),
  'another one’s signature': async () => {
    const [header, , signature] = await parts();
    return [header, encode({ ...details, nonce: 'another' }), signature].join('.');
  },
  'no algorithm': async () => [encode({ alg: 'none', typ: 'whorl-proof+jwt' }), encode(details), ''].join('.'),
  'a secret that all know': () =>
    new SignJWT(details).setProtectedHeader({ alg: 'HS256', typ: 'whorl-proof+jwt' }).sign(new Uint8Array(32)),
  'another algorithm': () => forged({}, details, 'ES384'),
  'the thumbprint of another key': () => forged({}),
  'no thumbprint': () => forged({ kid: undefined }),
  'an invalid key': () => forged({ jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } }),
  'a key off the curve': () => forged({ jwk: { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: `${'A'.repeat(42)}E` } }),
  'no key': () => forged({ jwk: undefined }),
  'another type': () => holder.prove({ ...details, header: { typ: 'JWT' } }),
  'an unknown critical header': async () => {
    const [header, ...rest] = await parts();
    const read = JSON.parse(Buffer.from(header, 'base64url').toString());
    return [encode({ ...read, crit: ['b64'], b64: false }), ...rest].join('.');
  },
  'no payload': () => holder.prove({ ...details, fingerprint: undefined as never, nonce: undefined as never }),
  'an invalid time': () => holder.prove({ ...details, iat: Number.MAX_VALUE }),
};
test.each(Object.entries(wrong))('with %s is rejected', async (_name, make) => {
  expect(await readSignedProof(await make())).toBeUndefined();
});
