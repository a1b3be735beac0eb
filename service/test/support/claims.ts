import { type Customer, home, laptop, origin, phone } from './customer.js';
import type { TestProject, TestService } from './service.js';

/** Returns what evaluates in pages of the project that the test has now. The page's user is Ann. */
export function claimsOf(
  now: () => { readonly service: TestService; readonly project: TestProject; readonly customer: Customer },
) {
  const eventTypes = async () => (await now().service.events(now().project)).map(({ type }) => type);
  const claim = async (more: object = {}) =>
    (await now().customer.claim('ann', { email: 'thief@example.com', phone: '+491701234567', ...more })).challenge_id;
  const attachAnn = () =>
    now().customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone, ip: home, email: 'ann@example.com' });
  /** Sends a page's request from an IP address. */
  const claimFrom = (ip: string, body: object = {}, key = now().project.keys.live.publishable) => {
    const headers = { Origin: origin, 'X-Forwarded-For': ip };
    return now().service.api('/v2/device/evaluate', {
      key,
      headers,
      body: { action: 'login', user: 'ann', fingerprint: laptop, ...body },
    });
  };

  return { eventTypes, claim, attachAnn, claimFrom };
}
