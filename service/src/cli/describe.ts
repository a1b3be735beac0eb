import type { CreatedProject } from '../projects/projects.js';
import type { ShownSecret } from '../webhooks/endpoints.js';

/** A new project with its keys, for a person. */
export function describeCreated({ project, keys }: CreatedProject): string {
  return [
    `Made the project "${project.name}" (${project.id}). Its keys are shown once:`,
    `  live, secret       ${keys.live.secret}`,
    `  live, publishable  ${keys.live.publishable}`,
    `  test, secret       ${keys.test.secret}`,
    `  test, publishable  ${keys.test.publishable}`,
  ].join('\n');
}

/** A new endpoint of webhooks. */
export function describeEndpointSecret({ id, secret }: ShownSecret): string {
  return `Made the webhook endpoint ${id}. Its secret is shown this once:\n  ${secret}`;
}

/** The way into a dashboard that has no administrator yet. */
export function describeAdminLink(url: string): string {
  return `The dashboard has no administrator yet. Become one at this address, which works once, within an hour:\n  ${url}`;
}
