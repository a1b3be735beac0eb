import { type Customer, customerOf, origin } from './customer.js';
import type { RecordedEvent, TestProject, TestService } from './service.js';
import { type Visitor, visitorOf } from './visitor.js';

/** Return URL of the links from `linkTo`. */
export const returnUrl = `${origin}/cart?item=7`;

/** Project with the managed challenge page enabled, its server, and a visitor of the page. */
export interface PageShop {
  readonly project: TestProject;
  readonly customer: Customer;
  readonly visitor: Visitor;
  /** Creates a challenge with the secret key. Returns its ID and link. */
  challenged(user?: string, more?: object): Promise<{ id: string; link: string }>;
  statusOf(challenge: string): Promise<string>;
  newestCode(): string;
  eventTypes(): Promise<RecordedEvent['type'][]>;
}

export async function openPageShop(service: TestService, settings: Record<string, unknown> = {}): Promise<PageShop> {
  const project = await service.newProject({ managed_challenge_page: true, allowed_origins: [origin], ...settings });
  const customer = customerOf(service, project);
  return {
    project,
    customer,
    visitor: visitorOf(service),
    async challenged(user = 'ann', more = {}) {
      const { challenge_id, challenge_url } = await customer.challenge(user, more);
      return { id: challenge_id, link: linkTo(challenge_url) };
    },
    statusOf: async (id) => (await customer.get(`/v2/challenges/${id}`)).body.status,
    newestCode: () => service.outbox.at(-1)?.code ?? '',
    eventTypes: async () => (await service.events(project)).map(({ type }) => type),
  };
}

/** Returns the link with a return URL. */
export function linkTo(challengeUrl: string): string {
  return `${challengeUrl}&return_url=${encodeURIComponent(returnUrl)}`;
}
