import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { customerOf, home, laptop, origin } from './customer.js';
import type { ApiAnswer, TestProject, TestService } from './service.js';

/** Content of a proof. Defaults to what a page would send now. */
export interface ProofDetails {
  readonly nonce: string;
  readonly origin?: string;
  readonly fingerprint?: string;
  readonly iat?: number;
  /** Header parameters to override. */
  readonly header?: Readonly<Record<string, unknown>>;
}

/** Browser with a key, like those that the package creates. */
export interface KeyHolder {
  readonly thumbprint: string;
  prove(details: ProofDetails): Promise<string>;
}

export async function holdKey(): Promise<KeyHolder> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const thumbprint = await calculateJwkThumbprint(jwk);
  return {
    thumbprint,
    prove({ nonce, origin: from = origin, fingerprint = laptop, iat = Date.now() / 1000, header }) {
      const claims = JSON.stringify({ nonce, origin: from, fingerprint, iat });
      return new CompactSign(new TextEncoder().encode(claims))
        .setProtectedHeader({ alg: 'ES256', typ: 'whorl-proof+jwt', kid: thumbprint, jwk, ...header })
        .sign(privateKey);
    },
  };
}

interface LogIn {
  readonly fingerprint?: string;
  readonly ip?: string;
  readonly [field: string]: unknown;
}

/** Returns a customer whose pages prove possession of their key. */
export function provingCustomerOf(service: TestService, project: TestProject, mode: 'live' | 'test' = 'live') {
  const customer = customerOf(service, project, mode);
  const nonce = async (): Promise<string> => (await customer.ask('/v2/device/nonce')).nonce;
  return {
    ...customer,
    nonce,
    proofOf: async (holder: KeyHolder, more: Partial<ProofDetails> = {}) =>
      holder.prove({ nonce: await nonce(), iat: service.clock.now().getTime() / 1000, ...more }),
    /** Evaluates a login with a proof, or without one if `holder` is null. */
    async logIn(
      user: string,
      holder: KeyHolder | null,
      { fingerprint = laptop, ip = home, ...more }: LogIn = {},
    ): Promise<ApiAnswer['body']> {
      const iat = service.clock.now().getTime() / 1000;
      const proof = holder ? { proof: await holder.prove({ nonce: await nonce(), fingerprint, iat }) } : {};
      return customer.evaluate({ action: 'login', user, fingerprint, ip, ...proof, ...more });
    },
    /** Evaluates a login and completes its challenge. */
    async logInByCode(user: string, holder: KeyHolder | null, more: LogIn = {}): Promise<ApiAnswer['body']> {
      const evaluation = await this.logIn(user, holder, more);
      if (!evaluation.challenge_id) throw new Error(`Not challenged: ${JSON.stringify(evaluation)}`);
      await customer.ask(`/v2/challenges/${evaluation.challenge_id}/complete`);
      return evaluation;
    },
  };
}
