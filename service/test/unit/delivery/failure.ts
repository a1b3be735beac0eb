import { inspect } from 'node:util';
import { expect } from 'vitest';
import { DeliveryUnavailable } from '../../../src/ground/messages/message.js';

/** Returns the error of a delivery that must fail. Checks that no logged form of it contains personal data. */
export async function failureOf(
  sending: Promise<void>,
  personal: readonly string[],
): Promise<Pick<DeliveryUnavailable, 'channel' | 'failure' | 'providerCode'>> {
  const error: unknown = await sending.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof DeliveryUnavailable)) throw new Error(`Not DeliveryUnavailable: ${inspect(error)}`);
  const logged = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }) + JSON.stringify(error);
  for (const text of personal) expect(logged).not.toContain(text);
  const { channel, failure, providerCode } = error;
  return { channel, failure, providerCode };
}
