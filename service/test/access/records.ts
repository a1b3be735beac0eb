import { sql } from 'kysely';
import {
  addEndpoint,
  addEntries,
  changeSettings,
  listEndpoints,
  listKeys,
  listProjects,
  makeInvitation,
  replays,
  searches,
  startReplay,
  startSearch,
  worldOf,
} from '../../src/testing.js';
import { insertMember } from '../support/admin.js';
import { fingerprintOf } from '../support/fingerprints.js';
import type { Inventory } from '../support/operations.js';
import type { TestService } from '../support/service.js';

let created = 0;

/** Records of a world, used to fill in paths. */
export interface WorldRecords extends Inventory {
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

/** A world of a project. */
export interface World {
  readonly project: string;
  readonly mode: 'live' | 'test';
  /** Its secret key. */
  readonly secret: string;
}

/** The first rule of each project. It changes no verdict. */
const idleRule = { name: 'Idle', when: 'user.is_new', effect: 'deny', state: 'off' } as const;

/** Creates a user in a world, with a device and another device that is challenged. */
export async function createRecords(
  service: TestService,
  { project, mode, secret: key }: World,
): Promise<WorldRecords> {
  created += 1;
  const user = `user ${created}`;
  const ip = `198.51.${100 + (created >> 8)}.${created & 255}`;
  const fingerprint = fingerprintOf({ seed: `phone of ${user}` });
  const evaluate = async (action: string, fingerprint: string) => {
    const body = { action, user, fingerprint, ip, email: `ada${created}@example.com` };
    const answer = await service.api('/v2/device/evaluate', { key, body });
    if (answer.status !== 200) throw new Error(`The records were not created: ${JSON.stringify(answer.body)}`);
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
  const email = `member${created}@shop.example`;
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
