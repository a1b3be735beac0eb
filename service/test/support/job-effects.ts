import { type Customer, home } from './customer.js';
import type { TestProject, TestService } from './service.js';

/** Returns what attaches devices, and reads what a job did in the project that the test has now. */
export function jobEffectsOf(
  now: () => { readonly service: TestService; readonly project: TestProject; readonly customer: Customer },
) {
  const attach = (user: string, fingerprint: string) =>
    now().customer.ask('/v2/device/attach', { user, fingerprint, ip: home });
  const devicesOf = async (user: string) => (await now().customer.get(`/v2/user/${user}/devices`)).body.data;
  const eventsOf = async (type: string) =>
    (await now().service.events(now().project)).filter((event) => event.type === type);

  return { attach, devicesOf, eventsOf };
}
