import { randomInt } from 'node:crypto';
import { openRequest } from '../../evaluation/normalised-request.js';
import { decodeBasis, factsInRequest, type StoredBasis } from '../../evaluation/rules/stored-basis.js';
import { giveWay, sliceMs } from '../../ground/give-way.js';
import { firstIdAt } from '../../ground/ids.js';
import { dayMs, minuteMs } from '../../ground/time.js';
import { bindFacts } from '../../resources/projects/rules/conditions/condition.js';
import { allCountersOf, conditionOf } from '../../resources/projects/rules/conditions/rule.js';
import { readWorlds } from '../../resources/projects/worlds.js';
import type { JobData } from '../../resources/queue/jobs.js';
import { readerOf, type Service } from '../../resources/service.js';
import { readBatches } from '../rule-runs/batches.js';
import { seeded } from '../study/rules/random.js';
import { type LabelledRow, listLabelled, readLabelled, searches } from './queries.js';
import { findRule, type Target } from './rules/find.js';
import { maxCounted, maxLabelled, searchedDays } from './rules/limits.js';
import { emptySearch, type SearchReport } from './rules/report.js';
import { SampleCollector, searchedFacts } from './rules/samples.js';

/** Bounds of a search, and of all its work, which is less than a job's lease. */
const maxSearchMs = 4 * minuteMs;
const maxMs = 9 * minuteMs;
/** Number of labelled evaluations that are read at a time. */
const labelledBatchSize = 1000;
/** Interval at which progress is stored, and at which a search notices that it was cancelled. */
const saveMs = 1000;

class Cancelled extends Error {}

/**
 * Searches a rule by a world's labelled evaluations of the last 30 days. Begins again if it was interrupted. Leaves time for
 * requests, and stops soon after it was cancelled.
 */
export async function runSearch(service: Service, { worldId, searchId }: JobData['find_rule']): Promise<void> {
  const { db, now } = service;
  const key = { worldId, id: searchId };
  const search = await searches.begin(db, key);
  if (!search) return;
  try {
    await new Search(service, { ...key, target: search.target }).run();
    await searches.end(db, key, { status: 'finished', at: now() });
  } catch (error) {
    if (error instanceof Cancelled) return;
    await searches.end(db, key, { status: 'failed', at: now() });
    throw error;
  }
}

/** A search that runs, with its progress. */
class Search {
  readonly #began = performance.now();
  #report = emptySearch;
  #savedAt = 0;
  #sliceBegan = performance.now();

  constructor(
    private readonly service: Service,
    private readonly search: { readonly worldId: string; readonly id: string; readonly target: Target },
  ) {}

  async run(): Promise<void> {
    const since = new Date(this.service.now().getTime() - searchedDays * dayMs);
    const collector = await this.#readLabelled(since);
    await this.#save({ stage: 'searching' });
    const found = await this.#find(collector);
    await this.#save({ stage: 'counting', found });
    if ('when' in found) await this.#countMatches(found.when, firstIdAt(since));
    await this.#save({ stage: 'done' });
  }

  async #readLabelled(since: Date): Promise<SampleCollector> {
    const { db } = readerOf(this.service);
    const { worldId } = this.search;
    const fraud = await listLabelled(db, worldId, { label: 'fraud', since, limit: maxLabelled.fraud });
    const legitimate = await listLabelled(db, worldId, { label: 'legitimate', since, limit: maxLabelled.legitimate });
    const isPartial = fraud.length === maxLabelled.fraud || legitimate.length === maxLabelled.legitimate;
    await this.#save({ isPartial });
    const [world] = await readWorlds(db, worldId);
    const collector = new SampleCollector(allCountersOf(world?.settings.rules ?? []));
    const ids = [...fraud, ...legitimate];
    for (let from = 0; from < ids.length; from += labelledBatchSize) {
      const rows = await readLabelled(db, worldId, ids.slice(from, from + labelledBatchSize));
      for (const row of rows) {
        const { read, skipped } = this.#report;
        this.#report = { ...this.#report, read: read + 1, skipped: skipped + (this.#collect(collector, row) ? 0 : 1) };
        await this.#pauseIfDue();
      }
    }
    return collector;
  }

  /** Returns false if the evaluation lacks a fact that a rule could read. */
  #collect(collector: SampleCollector, row: LabelledRow): boolean {
    const { rule_basis, feedback_label, external_user, user_index } = row;
    if (rule_basis === null || feedback_label === null) return false;
    const { basis, unknown } = decodeBasis(rule_basis, row, openRequest(this.service, row));
    if (searchedFacts.some((fact) => unknown.has(fact))) return false;
    const person = external_user ?? Buffer.from(user_index ?? []).toString('base64');
    collector.add({ person, label: feedback_label, values: basis.values });
    return true;
  }

  async #find(collector: SampleCollector) {
    const began = performance.now();
    const isLate = () => performance.now() - began > maxSearchMs;
    const steps = findRule(collector.samples(), {
      target: this.search.target,
      isLate,
      random: seeded(randomInt(2 ** 32)),
    });
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      await this.#pauseIfDue();
    }
  }

  /** Counts the matches of a rule among all evaluations, the newest first. */
  async #countMatches(when: string, since: string): Promise<void> {
    const condition = conditionOf({ name: '', when, effect: 'report', actions: [], state: 'on' });
    const withRequest = factsInRequest.some((fact) => condition.reads.has(fact));
    const isUnknown = ({ unknown, basis: { values } }: StoredBasis) =>
      [...unknown].some((fact) => condition.reads.has(fact)) ||
      condition.counters.some(({ id }) => !values.counters?.has(id));
    const { worldId } = this.search;
    for await (const rows of readBatches(readerOf(this.service).db, { worldId, since, withRequest })) {
      if (this.#report.counted >= maxCounted || performance.now() - this.#began > maxMs) return;
      for (const row of rows) {
        await this.#pauseIfDue();
        if (row.rule_basis === null) continue;
        const request = row.request ? openRequest(this.service, { request: row.request }) : undefined;
        const stored = decodeBasis(row.rule_basis, row, request);
        if (isUnknown(stored)) continue;
        const isMatched = condition.evaluate(bindFacts(stored.basis.values)) === 'matched';
        const { counted, matched } = this.#report;
        this.#report = { ...this.#report, counted: counted + 1, matched: matched + (isMatched ? 1 : 0) };
      }
    }
  }

  /** Lets requests go first after a slice of work, and stores progress. @throws {Cancelled} */
  async #pauseIfDue(): Promise<void> {
    if (performance.now() - this.#sliceBegan < sliceMs) return;
    await giveWay();
    if (performance.now() - this.#savedAt > saveMs) await this.#save({});
    this.#sliceBegan = performance.now();
  }

  /** Stores the progress. @throws {Cancelled} */
  async #save(changes: Partial<SearchReport>): Promise<void> {
    this.#report = { ...this.#report, ...changes };
    this.#savedAt = performance.now();
    if (!(await searches.save(this.service.db, this.search, this.#report))) throw new Cancelled();
  }
}
