import { forwarders } from '../http/forwarders.js';
import type { Service } from '../service.js';

/** What is wrong with how the service is set up: each page of the dashboard says so. */
export interface Conditions {
  /** Whether mail can be sent. */
  readonly hasMail: boolean;
  /** Networks that lately sent `X-Forwarded-For`, and are not among the trusted proxies; the latest first. */
  readonly forwarders: readonly string[];
}

export async function readConditions(service: Service): Promise<Conditions> {
  return { hasMail: service.sender.channels.has('email'), forwarders: await forwarders(service.db, service) };
}
