import { pendingOf } from '../recognition/velocity/count.js';
import { findCounters } from '../recognition/velocity/counter-queries.js';
import type { CountedSubject, Window } from '../recognition/velocity/rules/counts.js';
import { windowStarts } from '../recognition/velocity/rules/slots.js';
import { counterSubject } from '../recognition/velocity/subjects.js';
import { bindFacts } from '../resources/projects/rules/conditions/condition.js';
import type { CounterFacts, CounterWindow, NamedCounter } from '../resources/projects/rules/conditions/counters.js';
import type { CounterValue, CounterValues } from '../resources/projects/rules/conditions/facts.js';
import { countersOf } from '../resources/projects/rules/conditions/rule.js';
import type { Database, UnitOfWork } from '../resources/service.js';
import type { NormalisedRequest } from './normalised-request.js';
import { isRaised } from './rules/policy.js';

/** Counters of one evaluation. */
interface Counters {
  /** Undefined if no rule names a counter. */
  readonly values: CounterValues | undefined;
  /** What the evaluation is counted by. */
  readonly subjects: readonly CountedSubject[];
}

const noCounters: Counters = { values: undefined, subjects: [] };

const windows = { '5m': 'fiveMinutes', '1h': 'hour', '24h': 'day' } as const satisfies Record<CounterWindow, Window>;

/**
 * Reads the counters that the rules for an action name. A project whose rules name none pays for no statement. Rules do not
 * judge for a publishable key, and so name nothing there.
 */
export async function loadCounters(work: UnitOfWork<Database>, normalised: NormalisedRequest): Promise<Counters> {
  const { settings, kind } = work.caller;
  const { action } = normalised.request;
  const named = kind === 'secret' && isRaised('rule', { action, settings }) ? countersOf(settings.rules, action) : [];
  if (named.length === 0) return noCounters;
  const facts = bindFacts(factsOf(normalised));
  const names = named.map((counter) => ({ counter, name: counter.nameFor(facts) }));
  const texts = new Set(names.flatMap(({ name }) => ('text' in name ? name.text : [])));
  const subjects = new Map([...texts].map((text) => [text, counterSubject(work, work.caller.worldId, text)]));
  const counts = await countsOf(work, [...subjects.values()]);
  const valueFor = ({ counter, name }: (typeof names)[number]): CounterValue => {
    if ('problem' in name) return name.problem;
    const subject = subjects.get(name.text);
    return (subject && counts(subject, counter)) ?? 0;
  };
  return { values: new Map(names.map((each) => [each.counter.id, valueFor(each)])), subjects: [...subjects.values()] };
}

function factsOf({ request, outcome, externalId, address }: NormalisedRequest): CounterFacts {
  return {
    action: request.action,
    outcome,
    metadata: request.metadata ?? {},
    'user.id': externalId,
    'address.ip': address?.ip ?? '',
  };
}

/** Reads counts. Returns a function that finds the one of a subject in a counter's window. */
async function countsOf(work: UnitOfWork<Database>, subjects: readonly CountedSubject[]) {
  const { worldId } = work.caller;
  const { process, rows } = pendingOf(work, worldId, subjects);
  const lookup = { worldId, ...windowStarts(work.now()), process, pending: JSON.stringify(rows) };
  const found =
    subjects.length === 0 ? [] : await findCounters(work.db, { ...lookup, subjects: subjects.map(({ key }) => key) });
  const bySubject = new Map(found.map(({ subject, ...counts }) => [subject, counts]));
  return ({ key }: CountedSubject, { window }: NamedCounter) =>
    bySubject.get(Buffer.from(key).toString('hex'))?.[windows[window]];
}
