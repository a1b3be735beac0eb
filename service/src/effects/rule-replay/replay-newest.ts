import { ApiError } from '../../ground/errors.js';
import { asBackground } from '../../ground/give-way.js';
import { draftSettings, InvalidSettings } from '../../resources/projects/settings.js';
import { type Caller, currentReaderOf, perService, type Service } from '../../resources/service.js';
import { maxReplayedAtOnce } from './rules/limits.js';
import { emptyReport, type ReplayReport } from './rules/report.js';
import { trialOf } from './rules/trial.js';
import { replayBackwards } from './run.js';

/** Bounds of a replay within a request. The time leaves the rest of a request's deadline for the response. */
const bounds = { evaluations: maxReplayedAtOnce, ms: 5000 };

/** Projects with a replay within a request. */
const busyProjects = perService(() => new Set<string>());

/** A rule to try, not yet checked. */
export interface RuleToTry {
  readonly when: string;
  readonly effect: string;
  readonly tag?: string | undefined;
  readonly actions?: readonly string[] | undefined;
  /** Name of the saved rule in whose place it is tried. Default: after all others. */
  readonly replaces?: string | undefined;
}

/**
 * Replays a rule on the newest evaluations of the last 30 days, within a request. Stores nothing. A process runs one at a
 * time for each project.
 *
 * @throws {ApiError} `invalid_request` for a rule that could not be saved; `not_found` for a rule to replace;
 *   `rate_limited` while another one runs
 */
export async function replayNewest(service: Service, caller: Caller, toTry: RuleToTry): Promise<ReplayReport> {
  const { settings, project, worldId } = caller;
  const position = positionOf(settings.rules, toTry.replaces);
  const rules = draftOf(caller, toTry, position);
  const busy = busyProjects(service);
  if (busy.has(project.id)) {
    throw new ApiError('rate_limited', {
      detail: 'Another replay of this project is running. Try again when it has finished.',
    });
  }
  busy.add(project.id);
  try {
    let report = emptyReport;
    const reader = await currentReaderOf(service);
    const trial = trialOf(rules, position, settings.rules);
    const save = async (current: ReplayReport) => {
      report = current;
      return true;
    };
    await asBackground(() => replayBackwards(service, worldId, { reader, trial, settings, bounds, save }));
    return report;
  } finally {
    busy.delete(project.id);
  }
}

type Rules = Caller['settings']['rules'];

function positionOf(rules: Rules, replaces: string | undefined): number {
  if (replaces === undefined) return rules.length;
  const position = rules.findIndex(({ name }) => name === replaces);
  if (position < 0) throw new ApiError('not_found', { detail: 'There is no rule with the name in `replaces`.' });
  return position;
}

/** Returns the saved rules with the tried one. */
function draftOf({ settings }: Caller, { replaces, ...tried }: RuleToTry, position: number): Rules {
  const rule = { ...tried, name: replaces ?? unusedName(settings.rules) };
  const rules = [...settings.rules.slice(0, position), rule, ...settings.rules.slice(position + 1)];
  try {
    return draftSettings(settings, { rules }).rules;
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    throw new ApiError('invalid_request', { detail: issuesOf(error, position) });
  }
}

function unusedName(rules: Rules): string {
  const names = new Set(rules.map(({ name }) => name));
  return (
    ['Tried rule', ...rules.map((_rule, index) => `Tried rule ${index + 2}`)].find((name) => !names.has(name)) ?? ''
  );
}

/** Says what is wrong with the tried rule, or else with the rules as a whole. */
function issuesOf({ issues, message }: InvalidSettings, position: number): string {
  const own = issues.filter(({ path: [, index] }) => index === position);
  if (own.length === 0) return message;
  return own.map((issue) => `\`${String(issue.path[2] ?? 'rule')}\` ${issue.message}`).join('; ');
}
