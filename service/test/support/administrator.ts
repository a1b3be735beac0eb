import { sealAdminEmail } from '../../src/operations/dashboard/admins.js';
import { beginSession } from '../../src/operations/dashboard/session.js';
import type { Service } from '../../src/service.js';
import { insertAdmin } from '../../src/store/queries/admins.js';
import { type Visitor, visitorOf } from './visitor.js';

/** An administrator who is signed in at a service behind an address; how one signs in is another file's concern. */
export async function administratorAt(url: string, service: Service, email: string): Promise<Visitor> {
  const { db } = service;
  const id = service.newId();
  await insertAdmin(db, { id, ...sealAdminEmail(service, email), password_hash: 'none', created_at: service.now() });
  const visitor = visitorOf({ url });
  visitor.cookies.set('whorl_dashboard', await beginSession(db, service, id));
  return visitor;
}
