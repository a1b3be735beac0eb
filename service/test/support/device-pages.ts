import { onTestFinished } from 'vitest';
import { dayMs } from '../../src/testing.js';
import { type Customer, home, laptop } from './customer.js';
import { type EventReader, openEvents } from './event-reader.js';
import type { TestService } from './service.js';
import { waitFor } from './wait-for.js';

/** Longer than any test waits, so that only notifications can deliver events. */
export const never = { pollMs: dayMs };

/** A page with the device of its user. */
export interface SignedIn {
  readonly device: string;
  readonly token: string;
}

/** Returns what opens pages of the project that the test has now, and their streams of events. */
export function devicePagesOf(now: () => { readonly service: TestService; readonly customer: Customer }) {
  /** First device of an account, which is trusted from the start. */
  const signUp = async (user: string, fingerprint = laptop): Promise<SignedIn> => {
    const { device_id, device_token } = await now().customer.evaluate({
      action: 'signup',
      user,
      fingerprint,
      ip: home,
    });
    return { device: device_id, token: device_token };
  };
  const open = async (page: SignedIn, headers: Record<string, string> = {}, base = now().service.url) => {
    const reader = await openEvents(base, { ...page, headers });
    onTestFinished(reader.close);
    return reader;
  };
  const ask = ({ device, token }: SignedIn, headers: Record<string, string> = {}) =>
    now().service.api(`/v2/device/${device}/events`, {
      key: token,
      headers: { Accept: 'application/json', ...headers },
    });
  const hears = (reader: EventReader, type: string) =>
    waitFor(() => reader.events.some((event) => event.type === type), { what: type });

  return { signUp, open, ask, hears };
}
