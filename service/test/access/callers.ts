import { sql } from 'kysely';
import {
  addEndpoint,
  addEntries,
  beginSession,
  changeSettings,
  confirmAdminSession,
  createKey,
  formTokenOf,
  hashSecret,
  listEndpoints,
  listKeys,
  listProjects,
  makeInvitation,
  type ProjectRole,
  pageCookieName,
  replays,
  rotateKey,
  searches,
  sessionName,
  startReplay,
  startSearch,
  worldOf,
} from '../../src/testing.js';
import { insertMember, ownerInvitation } from '../support/admin.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { type Inventory, wideLimits } from '../support/operations.js';
import type { TestProject, TestService } from '../support/service.js';
import { type Visitor, visitorOf } from '../support/visitor.js';
import type { CallerName } from './table.js';

/** Headers and fields that a caller sends with every request. */
export interface Walker {
  readonly headers: Readonly<Record<string, string>>;
  /** Records that its paths and bodies refer to. */
  readonly inventory: Belongings;
  /** CSRF token of its forms. */
  readonly mark?: string;
  /** Additional fields of its forms. */
  readonly said?: Readonly<Record<string, string>>;
}

type Brought = Pick<Walker, 'headers' | 'mark'>;

const allowed = 'https://shop.example';
const foreign = 'https://elsewhere.example';
let furnished = 0;
let members = 0;

/** Records of a world, used to fill in paths. */
export interface Belongings extends Inventory {
  readonly project: string;
  readonly mode: 'live' | 'test';
  /** ID of the user in the service. */
  readonly userId: string;
  readonly deviceToken: string;
  readonly challengeUrl: string;
  /** Fingerprint of the browser that began the challenge. */
  readonly fingerprint: string;
  /** ID of a publishable key. */
  readonly key: string;
  /** ID of an entry of a list. */
  readonly entry: string;
  /** ID of a view of users. */
  readonly view: string;
  /** ID of an action on many rows. */
  readonly bulkAction: string;
  /** ID of a replay of rules. */
  readonly replay: string;
  /** ID of a search for a rule. */
  readonly search: string;
  /** ID of a webhook endpoint. */
  readonly endpoint: string;
  /** ID of a viewer's account. */
  readonly member: string;
  /** ID of an open invitation. */
  readonly invitation: string;
}

interface World {
  readonly project: string;
  readonly mode: 'live' | 'test';
  /** Its secret key. */
  readonly secret: string;
}

/** The first rule of each project. It changes no verdict. */
const idleRule = { name: 'Idle', when: 'user.is_new', effect: 'deny', state: 'off' } as const;

/** Creates a user in a world, with a device and another device that is challenged. */
export async function createInventory(
  service: TestService,
  { project, mode, secret: key }: World,
): Promise<Belongings> {
  furnished += 1;
  const user = `user ${furnished}`;
  const ip = `198.51.${100 + (furnished >> 8)}.${furnished & 255}`;
  const fingerprint = fingerprintOf({ seed: `phone of ${user}` });
  const evaluate = async (action: string, fingerprint: string) => {
    const body = { action, user, fingerprint, ip, email: `ada${furnished}@example.com` };
    const answer = await service.api('/v2/device/evaluate', { key, body });
    if (answer.status !== 200) throw new Error(`Not furnished: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const entry = await entryOf(service, project, user);
  const first = await evaluate('signup', fingerprintOf({ seed: `laptop of ${user}` }));
  const { challenge_id, challenge_url, evaluation_id } = await evaluate('login', fingerprint);
  await changeSettings(service.service, { project, changes: { rules: [idleRule] }, changedBy: 'test' });
  const replay = await replayOf(service, { project, mode });
  const { body } = await service.api(`/v2/user/${encodeURIComponent(user)}/update`, { key, body: {} });
  return {
    project,
    mode,
    user,
    userId: body._id,
    key: await newestKey(service, { project, mode }),
    endpoint: await endpointOf(service, { project, mode }),
    ...(await createMembers(service, project)),
    entry,
    view: await viewOf(service, { project, mode }, user),
    bulkAction: await bulkActionOf(service, { project, mode }),
    replay,
    search: await searchOf(service, { project, mode }),
    device: first.device_id,
    deviceToken: first.device_token,
    challenge: challenge_id,
    evaluation: evaluation_id,
    challengeUrl: challenge_url,
    fingerprint,
  };
}

async function newestKey({ service }: TestService, world: Pick<World, 'project' | 'mode'>): Promise<string> {
  const [newest] = (await listKeys(service, world)).filter(({ kind, isValid }) => kind === 'publishable' && isValid);
  return newest?.id ?? '';
}

/** Adds a user to a list of the project, so that its evaluations wait for a review. This changes no verdict. */
async function entryOf({ service }: TestService, projectId: string, user: string): Promise<string> {
  const entries = [{ kind: 'user', effect: 'review', value: user }] as const;
  const added = await addEntries(service, { projectId, entries, origin: { by: 'test' } });
  return added.entries[0]?._id ?? '';
}

/** Saves a view of users. */
async function viewOf(
  service: TestService,
  { project, mode }: Pick<World, 'project' | 'mode'>,
  name: string,
): Promise<string> {
  const id = service.service.newId();
  await sql`
    insert into saved_views (world_id, id, list, name, filter, saved_by, saved_at)
    select id, ${id}, 'users', ${name}, '{"status":"suspended"}', 'test', ${service.service.now()} from worlds
    where project_id = ${project} and mode = ${mode}
  `.execute(service.db);
  return id;
}

/** Records an action on many rows that changed none. */
async function bulkActionOf(
  { service }: TestService,
  { project, mode }: Pick<World, 'project' | 'mode'>,
): Promise<string> {
  const id = service.newId();
  await sql`
    insert into bulk_actions (world_id, id, action, items, failed, created_by, created_at)
    select id, ${id}, 'suspend', '[]', 0, 'test', ${service.now()} from worlds
    where project_id = ${project} and mode = ${mode}
  `.execute(service.db);
  return id;
}

/** Returns a replay of the world, which has at most one that waits. */
async function replayOf({ service }: TestService, { project, mode }: Pick<World, 'project' | 'mode'>): Promise<string> {
  const worldId = await worldOf(service.db, project, mode);
  const rules = [{ ...idleRule, actions: [] }];
  const started = await startReplay(service, { worldId, rules, position: 0, compared: [] });
  return started ?? (await replays.list(service.db, worldId, 1))[0]?.id ?? '';
}

/** Returns a search of the world, which has at most one that waits. */
async function searchOf({ service }: TestService, { project, mode }: Pick<World, 'project' | 'mode'>): Promise<string> {
  const worldId = await worldOf(service.db, project, mode);
  const started = await startSearch(service, { worldId, target: { caught: 0.8, honest: 0.01 } });
  return started ?? (await searches.list(service.db, worldId, 1))[0]?.id ?? '';
}

/** Creates a viewer and an open invitation. */
async function createMembers({ service }: TestService, projectId: string) {
  const name = (await listProjects(service)).find(({ id }) => id === projectId)?.name ?? '';
  const email = `member${furnished}@shop.example`;
  const access = { role: 'viewer', project: { id: projectId, name } } as const;
  return {
    member: await insertMember(service, { email, role: 'viewer', projectId }),
    invitation: (await makeInvitation(service, { email: `invited-${email}`, access })).id,
  };
}

/** Nothing listens there. */
async function endpointOf({ service }: TestService, world: Pick<World, 'project' | 'mode'>): Promise<string> {
  const [known] = await listEndpoints(service, world);
  return known?.id ?? (await addEndpoint(service, { ...world, url: 'http://127.0.0.1:1/', changedBy: 'test' })).id;
}

/** Creates a project that allows pages of one origin and has the challenge page enabled. */
async function project(service: TestService): Promise<TestProject> {
  return service.newProject({ ...wideLimits, allowed_origins: [allowed], managed_challenge_page: true });
}

export interface Cast {
  /**
   * Returns a caller of this kind. A caller that `acts` gets its own records each time, because some requests delete
   * the records they refer to.
   */
  walker(name: CallerName, acts: boolean): Promise<Walker>;
  readonly live: { readonly secret: string; readonly inventory: Belongings };
}

/** Creates one caller of each kind. */
export async function castOf(service: TestService): Promise<Cast> {
  const other = await project(service);
  const own = await project(service);
  const { live, test } = own.keys;
  const expired = await expireFirstKey(service, own);
  const liveWorld: World = { project: own.project.id, mode: 'live', secret: expired.newest };
  const testWorld: World = { project: own.project.id, mode: 'test', secret: test.secret };
  const inventory = await createInventory(service, liveWorld);
  const neighbour = await createInventory(service, liveWorld);
  const inTest = await createInventory(service, testWorld);
  const withKey = (key: string, from?: string): Walker => ({ headers: bearer(key, from), inventory });
  const visit = await browserAt(service, inventory.challengeUrl, inventory.fingerprint);
  const owner = await insertMember(service.service, { email: 'grace@shop.example' });
  const session = (adminId: string) => confirmedSession(service, adminId);
  const memberOf = (role: ProjectRole, projectId: string) => {
    members += 1;
    return insertMember(service.service, { email: `${role}${members}@shop.example`, role, projectId });
  };
  const inRole = (role: ProjectRole) => async (acts: boolean) => {
    const own = acts ? await ownProject(service) : inventory;
    return { ...(await session(await memberOf(role, own.project))), inventory: own };
  };
  const walkers: Record<CallerName, (acts: boolean) => Promise<Walker>> = {
    nobody: always({ headers: {}, inventory }),
    unknownKey: always(withKey(`sk_live_${'x'.repeat(43)}`)),
    expiredKey: always(withKey(expired.key)),
    live: async (acts) => ({
      ...withKey(expired.newest),
      ...(acts && { inventory: await createInventory(service, liveWorld) }),
    }),
    test: async (acts) => ({
      headers: bearer(test.secret),
      inventory: acts ? await createInventory(service, testWorld) : inTest,
    }),
    reader: always(withKey(await scopedKey(service, own, 'read'))),
    manager: always(withKey(await scopedKey(service, own, 'manage'))),
    testOnLive: always(withKey(test.secret)),
    otherProject: always(withKey(other.keys.live.secret)),
    page: always(withKey(live.publishable, allowed)),
    testPage: always({ headers: bearer(test.publishable, allowed), inventory: inTest }),
    foreignPage: always(withKey(live.publishable, foreign)),
    noPage: always(withKey(live.publishable)),
    device: always(withKey(inventory.deviceToken, allowed)),
    otherDevice: always(withKey(neighbour.deviceToken, allowed)),
    foreignDevice: always(withKey(inventory.deviceToken, foreign)),
    visitor: always({ ...visit, inventory }),
    visitorWithoutMark: always({ headers: visit.headers, inventory }),
    otherVisitor: always({ ...(await browserAt(service, neighbour.challengeUrl, neighbour.fingerprint)), inventory }),
    owner: async (acts) => ({
      ...(await session(owner)),
      inventory: acts ? await ownProject(service) : inventory,
    }),
    administrator: inRole('administrator'),
    analyst: inRole('analyst'),
    viewer: inRole('viewer'),
    memberElsewhere: async () => ({
      ...(await session(await memberOf('administrator', other.project.id))),
      inventory,
    }),
    ownerElsewhere: async () => ({
      ...(await session(owner)),
      inventory: { ...inventory, project: other.project.id },
    }),
    ownerWithoutMark: async () => ({ headers: (await session(owner)).headers, inventory }),
    atSignIn: always({ ...(await browserAt(service, '/dashboard/sign-in')), inventory }),
    invited: always({ ...(await browserAt(service, await invitation(service))), inventory }),
  };
  return { walker: (name, acts) => walkers[name](acts), live: { secret: expired.newest, inventory } };
}

function always(walker: Walker): () => Promise<Walker> {
  return () => Promise.resolve(walker);
}

/** Creates the records of a separate project. */
async function ownProject(service: TestService): Promise<Belongings> {
  const { project: made, keys } = await project(service);
  return createInventory(service, { project: made.id, mode: 'live', secret: keys.live.secret });
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

function scopedKey({ service }: TestService, { project }: TestProject, scope: 'read' | 'manage'): Promise<string> {
  return createKey(service, { project: project.id, mode: 'live', kind: 'secret', scopes: [scope], changedBy: 'test' });
}

/** Starts a session in which the password is confirmed. */
async function confirmedSession({ service }: TestService, adminId: string): Promise<Brought> {
  const begun = await beginSession(service.db, service, adminId);
  await confirmAdminSession(service.db, hashSecret(begun), service.now());
  return {
    headers: { Cookie: `${pageCookieName(service, sessionName)}=${begun}` },
    mark: formTokenOf(service.vault, 'dashboard.csrf', begun),
  };
}

/** Returns a browser that has loaded a page with a form. */
async function browserAt(service: TestService, address: string, fingerprint?: string): Promise<Brought> {
  const visitor = visitorOf(service);
  if (fingerprint !== undefined) visitor.fingerprint = fingerprint;
  const page = await visitor.open(address);
  return { headers: { Cookie: cookiesOf(visitor) }, mark: markIn(page.html) };
}

function cookiesOf({ cookies }: Visitor): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

function markIn(html: string): string {
  const mark = /name="csrf" value="([^"]+)"/.exec(html)?.[1];
  if (mark === undefined) throw new Error(`No form in: ${html}`);
  return mark;
}
