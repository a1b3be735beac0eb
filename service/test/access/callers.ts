import {
  beginSession,
  confirmAdminSession,
  formTokenOf,
  hashSecret,
  type ProjectRole,
  pageCookieName,
  rotateKey,
  sessionName,
} from '../../src/testing.js';
import { insertMember, ownerInvitation } from '../support/admin.js';
import { keyWithScope } from '../support/api-keys.js';
import { wideLimits } from '../support/operations.js';
import type { TestProject, TestService } from '../support/service.js';
import { type Visitor, visitorOf } from '../support/visitor.js';
import { createRecords, type World, type WorldRecords } from './records.js';
import type { CallerName } from './table.js';

/** Headers and fields that a caller sends with every request. */
export interface Caller {
  readonly headers: Readonly<Record<string, string>>;
  /** Records that its paths and bodies refer to. */
  readonly records: WorldRecords;
  /** CSRF token of its forms. */
  readonly csrf?: string;
  /** Additional fields of its forms. */
  readonly fields?: Readonly<Record<string, string>>;
}

type Credentials = Pick<Caller, 'headers' | 'csrf'>;

const allowed = 'https://shop.example';
const foreign = 'https://elsewhere.example';
let members = 0;

/** Creates a project that allows pages of one origin and has the challenge page enabled. */
async function project(service: TestService): Promise<TestProject> {
  return service.newProject({ ...wideLimits, allowed_origins: [allowed], managed_challenge_page: true });
}

export interface Callers {
  /**
   * Returns a caller of this kind. A caller that `acts` gets its own records each time, because some requests delete
   * the records they refer to.
   */
  caller(name: CallerName, acts: boolean): Promise<Caller>;
  readonly live: { readonly secret: string; readonly records: WorldRecords };
}

/** Creates one caller of each kind. */
export async function createCallers(service: TestService): Promise<Callers> {
  const other = await project(service);
  const own = await project(service);
  const { live, test } = own.keys;
  const expired = await expireFirstKey(service, own);
  const liveWorld: World = { project: own.project.id, mode: 'live', secret: expired.newest };
  const testWorld: World = { project: own.project.id, mode: 'test', secret: test.secret };
  const records = await createRecords(service, liveWorld);
  const neighbour = await createRecords(service, liveWorld);
  const inTest = await createRecords(service, testWorld);
  const withKey = (key: string, from?: string): Caller => ({ headers: bearer(key, from), records });
  const visit = await browserAt(service, records.challengeUrl, records.fingerprint);
  const owner = await insertMember(service.service, { email: 'grace@shop.example' });
  const session = (adminId: string) => confirmedSession(service, adminId);
  const memberOf = (role: ProjectRole, projectId: string) => {
    members += 1;
    return insertMember(service.service, { email: `${role}${members}@shop.example`, role, projectId });
  };
  const inRole = (role: ProjectRole) => async (acts: boolean) => {
    const own = acts ? await ownProject(service) : records;
    return { ...(await session(await memberOf(role, own.project))), records: own };
  };
  const byName: Record<CallerName, (acts: boolean) => Promise<Caller>> = {
    nobody: always({ headers: {}, records }),
    unknownKey: always(withKey(`sk_live_${'x'.repeat(43)}`)),
    expiredKey: always(withKey(expired.key)),
    live: async (acts) => ({
      ...withKey(expired.newest),
      ...(acts && { records: await createRecords(service, liveWorld) }),
    }),
    test: async (acts) => ({
      headers: bearer(test.secret),
      records: acts ? await createRecords(service, testWorld) : inTest,
    }),
    reader: always(withKey(await keyWithScope(service, own, 'read'))),
    manager: always(withKey(await keyWithScope(service, own, 'manage'))),
    testOnLive: always(withKey(test.secret)),
    otherProject: always(withKey(other.keys.live.secret)),
    page: always(withKey(live.publishable, allowed)),
    testPage: always({ headers: bearer(test.publishable, allowed), records: inTest }),
    foreignPage: always(withKey(live.publishable, foreign)),
    noPage: always(withKey(live.publishable)),
    device: always(withKey(records.deviceToken, allowed)),
    otherDevice: always(withKey(neighbour.deviceToken, allowed)),
    foreignDevice: always(withKey(records.deviceToken, foreign)),
    visitor: always({ ...visit, records }),
    visitorWithoutToken: always({ headers: visit.headers, records }),
    otherVisitor: always({ ...(await browserAt(service, neighbour.challengeUrl, neighbour.fingerprint)), records }),
    owner: async (acts) => ({
      ...(await session(owner)),
      records: acts ? await ownProject(service) : records,
    }),
    administrator: inRole('administrator'),
    analyst: inRole('analyst'),
    viewer: inRole('viewer'),
    memberElsewhere: async () => ({
      ...(await session(await memberOf('administrator', other.project.id))),
      records,
    }),
    ownerElsewhere: async () => ({
      ...(await session(owner)),
      records: { ...records, project: other.project.id },
    }),
    ownerWithoutToken: async () => ({ headers: (await session(owner)).headers, records }),
    atSignIn: always({ ...(await browserAt(service, '/dashboard/sign-in')), records }),
    invited: always({ ...(await browserAt(service, await invitation(service))), records }),
  };
  return { caller: (name, acts) => byName[name](acts), live: { secret: expired.newest, records } };
}

function always(caller: Caller): () => Promise<Caller> {
  return () => Promise.resolve(caller);
}

/** Creates the records of a separate project. */
async function ownProject(service: TestService): Promise<WorldRecords> {
  const { project: made, keys } = await project(service);
  return createRecords(service, { project: made.id, mode: 'live', secret: keys.live.secret });
}

function invitation({ service }: TestService): Promise<string> {
  return ownerInvitation({ service }, 'hopper@shop.example');
}

function bearer(key: string, origin?: string): Record<string, string> {
  return { Authorization: `Bearer ${key}`, ...(origin && { Origin: origin }) };
}

/** Rotates the live secret key. The previous one ends at once. */
async function expireFirstKey(service: TestService, { project, keys }: TestProject) {
  const which = { project: project.id, mode: 'live', kind: 'secret', keepOldForHours: 0, changedBy: 'test' } as const;
  return { key: keys.live.secret, newest: await rotateKey(service.service, which) };
}

/** Starts a session in which the password is confirmed. */
async function confirmedSession({ service }: TestService, adminId: string): Promise<Credentials> {
  const begun = await beginSession(service.db, service, adminId);
  await confirmAdminSession(service.db, hashSecret(begun), service.now());
  return {
    headers: { Cookie: `${pageCookieName(service, sessionName)}=${begun}` },
    csrf: formTokenOf(service.vault, 'dashboard.csrf', begun),
  };
}

/** Returns a browser that has loaded a page with a form. */
async function browserAt(service: TestService, address: string, fingerprint?: string): Promise<Credentials> {
  const visitor = visitorOf(service);
  if (fingerprint !== undefined) visitor.fingerprint = fingerprint;
  const page = await visitor.open(address);
  return { headers: { Cookie: cookiesOf(visitor) }, csrf: csrfIn(page.html) };
}

function cookiesOf({ cookies }: Visitor): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Returns the CSRF token of the form in a page. */
function csrfIn(html: string): string {
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1];
  if (csrf === undefined) throw new Error(`No form in: ${html}`);
  return csrf;
}
