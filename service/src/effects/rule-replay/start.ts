import type { Rule } from '../../resources/projects/rules/conditions/rule.js';
import { enqueue } from '../../resources/queue/index.js';
import type { Service } from '../../resources/service.js';
import { insertReplay, type ReplayRow, replays } from './queries.js';

/** Rules to try. */
export interface NewReplay {
  readonly worldId: string;
  /** All rules, with the tried one. */
  readonly rules: readonly Rule[];
  /** Index of the tried one. */
  readonly position: number;
  /** Saved rules, to compare with. */
  readonly compared: readonly Rule[];
}

/** Starts a replay in the background. Returns its ID, or undefined if one of the world has not ended. */
export async function startReplay(service: Service, replay: NewReplay): Promise<string | undefined> {
  const id = service.newId();
  const { worldId, rules, position, compared } = replay;
  return service.db.transaction().execute(async (trx) => {
    const draft = { rules: [...rules], position, compared: [...compared] };
    if (!(await insertReplay(trx, { worldId, id }, draft, service.now()))) return undefined;
    await enqueue(trx, 'replay_rules', { worldId, replayId: id });
    return id;
  });
}

/** Returns a replay of a world; undefined if there is none with this ID. */
export function retrieveReplay({ db }: Service, worldId: string, id: string): Promise<ReplayRow | undefined> {
  return replays.find(db, { worldId, id });
}

/** Cancels a replay that has not ended. */
export async function cancelReplay({ db, now }: Service, { world_id, id }: ReplayRow): Promise<void> {
  await replays.end(db, { worldId: world_id, id }, { status: 'cancelled', at: now() });
}
