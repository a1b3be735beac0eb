import { type all, asBody, bodyFor, type Inventory, pathOf } from './operations.js';
import type { ApiOptions, TestProject, TestService } from './service.js';

/** Lists whose filters must be known: a misspelt one would return everything. */
export const filtered = ['listEvaluations', 'listUsers'];

/** What a test calls now. */
interface Called {
  readonly service: TestService;
  readonly project: TestProject;
  readonly inventory: Inventory;
}

type CalledEndpoint = Parameters<typeof pathOf>[0] & (typeof all)[number][1];

/** Returns what calls endpoints with the secret key and the documented examples. */
export function endpointCallsOf(now: () => Called) {
  const secret = () => now().project.keys.live.secret;
  const call = (endpoint: CalledEndpoint, options: ApiOptions = {}) => {
    const { service, inventory } = now();
    return service.api(pathOf(endpoint, inventory), {
      key: secret(),
      ...asBody(endpoint, bodyFor(endpoint, inventory)),
      ...options,
    });
  };

  return { secret, call };
}
