import type { Service } from '../service.js';
import type { EndpointRow } from './queries/webhook-endpoints.js';

const context = 'webhook_endpoint.secret';

export function sealSecret({ vault }: Service, secret: string): Uint8Array {
  return vault.seal(secret, context);
}

export function openSecret({ vault }: Service, sealed: Uint8Array): string {
  return vault.open(sealed, context);
}

/** What an endpoint's events are signed with at this moment: the newest first, and the one before while both are good. */
export function secretsOf(service: Service, endpoint: EndpointRow): string[] {
  const { secret, previous_secret: previous, previous_until: until } = endpoint;
  const sealed = previous && until && until > service.now() ? [secret, previous] : [secret];
  return sealed.map((each) => openSecret(service, each));
}
