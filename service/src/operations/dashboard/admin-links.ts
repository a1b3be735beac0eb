import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../secrets/index.js';
import type { Service } from '../../service.js';
import { findAdminLink, hasAdmins, insertAdminLink } from '../../store/queries/admins.js';

const tokenBytes = 32;
const linkLifetimeMs = 3_600_000;

/**
 * The address of a page on which somebody becomes an administrator, or an administrator sets a new password: good once,
 * for an hour.
 *
 * @param options.forFirst Whether it is good only while there is no administrator.
 */
export async function makeAdminLink(service: Service, { forFirst }: { forFirst: boolean }): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url');
  await insertAdminLink(service.db, {
    hash: hashSecret(token),
    for_first: forFirst,
    expires_at: new Date(service.now().getTime() + linkLifetimeMs),
  });
  return `${service.publicUrl}/dashboard/set-up?token=${token}`;
}

/** The same, where there is no administrator yet. */
export async function makeFirstAdminLink(service: Service): Promise<string | undefined> {
  return (await hasAdmins(service.db)) ? undefined : makeAdminLink(service, { forFirst: true });
}

/** Whether a link's token is still good. */
export async function isAdminLink({ db, now }: Service, token: string | undefined): Promise<boolean> {
  const link = token ? await findAdminLink(db, hashSecret(token), now()) : undefined;
  return link !== undefined && !(link.for_first && (await hasAdmins(db)));
}
