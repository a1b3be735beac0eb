import { makeAdminLink } from '../../src/operations/dashboard/set-up.js';
import type { TestProject, TestService } from './service.js';
import { type Visitor, visitorOf } from './visitor.js';

export const password = 'correct horse battery staple';

/** A browser in which a new administrator is signed in, or one of this address with a new password. */
export async function adminOf(service: TestService, email = 'ada@example.com'): Promise<Visitor> {
  const visitor = visitorOf(service);
  await visitor.open(await makeAdminLink(service.service, { forFirst: false }));
  const page = await visitor.submit('set-up', { email, password });
  if (page.status !== 303) throw new Error(`Not set up: ${page.text}`);
  return visitor;
}

/** Where a section of a project stands. */
export function sectionOf({ project }: TestProject, section: string, mode: 'live' | 'test' = 'live'): string {
  return `/dashboard/${project.id}/${mode}/${section}`;
}
