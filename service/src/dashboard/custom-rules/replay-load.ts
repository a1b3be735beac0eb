import type { Verdict } from 'whorl/wire';
import { type ChangedRow, listChanged, type ReplayRow, replays } from '../../effects/rule-replay/queries.js';
import type { ReplayReport } from '../../effects/rule-replay/rules/report.js';
import { retrieveReplay } from '../../effects/rule-replay/start.js';
import { noSuch } from '../../ground/errors.js';
import type { Rule } from '../../resources/projects/rules/conditions/rule.js';
import type { DashboardRequest } from '../dashboard-request.js';

/** Evaluation whose verdict would change. */
export interface ShownChange extends ChangedRow {
  readonly from: Verdict;
  readonly to: Verdict;
}

/** Replay as its page shows it. */
export interface ShownReplay {
  readonly id: string;
  readonly rule: Rule;
  readonly position: number;
  /** Whether the rule is not among the saved ones. */
  readonly isNew: boolean;
  readonly status: ReplayRow['status'];
  readonly isActive: boolean;
  readonly report: ReplayReport | null;
  /** Newest first, without those that were deleted since. */
  readonly changed: readonly ShownChange[];
  readonly mode: 'live' | 'test';
}

type Asking = Pick<DashboardRequest, 'reader' | 'world'>;

/** Returns a replay of the world. @throws {ApiError} `not_found` */
export async function findReplay({ reader, world }: Asking, id: string | undefined): Promise<ReplayRow> {
  const replay = await retrieveReplay(reader, world.worldId, id ?? '');
  if (!replay) throw noSuch('replay');
  return replay;
}

/** Returns the tried rule of a replay. */
export function ruleOfReplay({ rules, position }: ReplayRow): Rule {
  const rule = rules[position];
  if (!rule) throw noSuch('replay');
  return rule;
}

export async function loadReplay({ reader, world }: Asking, id: string | undefined): Promise<ShownReplay> {
  const replay = await findReplay({ reader, world }, id);
  const { report, status, position } = replay;
  const examples = report?.examples ?? [];
  const rows =
    examples.length > 0
      ? await listChanged(
          reader.db,
          world.worldId,
          examples.map((each) => each.id),
        )
      : [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    id: replay.id,
    rule: ruleOfReplay(replay),
    position,
    isNew: position >= replay.compared.length,
    status,
    isActive: status === 'waiting' || status === 'running',
    report,
    changed: examples.flatMap(({ id: example, from, to }) => {
      const row = byId.get(example);
      return row ? [{ ...row, from, to }] : [];
    }),
    mode: world.mode,
  };
}

/** Replay in the list of the Rules page. */
export interface ListedReplay {
  readonly id: string;
  readonly name: string;
  readonly status: ReplayRow['status'];
  readonly at: Date;
}

const listed = 5;

/** Returns the newest replays of the world. */
export async function loadReplays({ reader, world }: Asking): Promise<ListedReplay[]> {
  const rows = await replays.list(reader.db, world.worldId, listed);
  return rows.map((row) => ({ id: row.id, name: ruleOfReplay(row).name, status: row.status, at: row.created_at }));
}
