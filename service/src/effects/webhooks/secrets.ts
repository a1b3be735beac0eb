import type { Service } from '../../resources/service.js';
import type { EndpointRow } from './queries/webhook-endpoints.js';

const context = 'webhook_endpoint.secret';

export function sealSecret({ vault }: Service, secret: string): Uint8Array {
  return vault.seal(secret, context);
}

export function openSecret({ vault }: Service, sealed: Uint8Array): string {
  return vault.open(sealed, context);
}

/**
 * Returns the secrets that an endpoint's events are signed with now: the current one first, then the previous one while
 * it is valid.
 */
export function secretsOf(service: Service, endpoint: EndpointRow): string[] {
  const { secret, previous_secret: previous, previous_until: until } = endpoint;
  const sealed = previous && until && until > service.now() ? [secret, previous] : [secret];
  return sealed.map((each) => openSecret(service, each));
}
