import type { Attempted } from '../../resources/events/rules/attempted.js';
import type { Service } from '../../resources/service.js';
import { type EndpointChoice, withEndpoint } from './endpoints.js';
import { secretsOf } from './secrets.js';
import { webhookHeaders } from './sign.js';

/**
 * Sends a signed `webhook.test` event to an endpoint and returns the outcome. It is sent once, is not stored, and does
 * not change the endpoint's status.
 *
 * @throws OperatorError if the endpoint does not exist.
 */
export async function tryEndpoint(
  service: Service,
  choice: EndpointChoice,
): Promise<Attempted & { readonly durationMs: number }> {
  const endpoint = await withEndpoint(service, choice, async (_trx, row) => row);
  const at = service.now();
  const data = { endpoint: endpoint.id };
  const body = JSON.stringify({ type: 'webhook.test', timestamp: at.toISOString(), data });
  const headers = webhookHeaders({ id: service.newId(), at, body }, secretsOf(service, endpoint));
  return service.webhooks.post({ url: endpoint.url, headers, body });
}
