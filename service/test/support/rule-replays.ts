import { sql } from 'kysely';
import { jobHandlers } from '../../src/testing.js';
import type { DashboardShop } from './dashboard-shop.js';

/** Fields of a rule to be tried. */
export const draft = { name: 'Tried', when: 'metadata.amount > 500', effect: 'deny', actions: '', state: 'shadow' };

/** Returns what tries rules on the dashboard, in the world with this path. */
export function replaysAt(shop: DashboardShop, base: string) {
  /** Posts the form of a rule to be tried. */
  async function post({ position = 'new', ...fields }: Record<string, string> = {}) {
    const { html } = await shop.visitor.get(`${base}/rules/new`);
    const version = /name="version" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const csrf = shop.visitor.fields().get('csrf') ?? '';
    return shop.visitor.post(`${base}/rules/${position}/try`, { csrf, version, ...draft, ...fields });
  }

  /** Starts a replay and returns its path. */
  async function start(fields: Record<string, string> = {}): Promise<string> {
    const { headers } = await post(fields);
    return new URL(headers.get('Location') ?? '', 'http://localhost').pathname;
  }

  /** Runs the jobs that replays have enqueued, as a worker does. */
  async function runJobs(): Promise<void> {
    const { rows } = await sql<{ data: { worldId: string; replayId: string } }>`
      delete from jobs where name = 'replay_rules' returning data
    `.execute(shop.service.db);
    for (const { data } of rows) await jobHandlers(shop.service.service).replay_rules(data);
  }

  /** Replays a rule and returns its page, with the counts of changes by verdicts. */
  async function replay(fields: Record<string, string> = {}) {
    const path = await start(fields);
    await runJobs();
    const page = await shop.visitor.get(path);
    const figure = (term: string) => new RegExp(`<dt>${term}</dt><dd>(\\d+)</dd>`).exec(page.html)?.[1];
    const [, changes = ''] = /Changes of verdicts(.*?)<\/table>/s.exec(page.html) ?? [];
    return {
      path,
      ...page,
      replayed: figure('Replayed evaluations'),
      skipped: figure('Cannot be replayed'),
      matched: figure('The rule matched'),
      failed: figure('The rule failed'),
      changes: [...changes.matchAll(/<tr role="row"><td.*?<\/tr>/gs)].map(([row]) =>
        row
          .replaceAll(/<[^>]+>/g, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ),
    };
  }

  return { post, start, runJobs, replay };
}
