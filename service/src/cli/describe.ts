import type { CreatedProject } from '../operations/projects.js';

/** A new project with its keys, for a person. */
export function describeCreated({ project, keys }: CreatedProject): string {
  return [
    `Made the project "${project.name}" (${project.id}). Its keys are shown this once:`,
    `  live, secret       ${keys.live.secret}`,
    `  live, publishable  ${keys.live.publishable}`,
    `  test, secret       ${keys.test.secret}`,
    `  test, publishable  ${keys.test.publishable}`,
  ].join('\n');
}

/** The way into a dashboard that has no administrator yet. */
export function describeAdminLink(url: string): string {
  return `The dashboard has no administrator yet. Become one at this address, which is good once, for an hour:\n  ${url}`;
}
