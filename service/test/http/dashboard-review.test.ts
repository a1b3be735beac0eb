import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../src/testing.js';
import { memberAt } from '../support/admin.js';
import { customerOf, elsewhere } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import type { TestService } from '../support/service.js';

/** Project of one test, and the requests of an owner to its review queue. */
async function openQueue(
  { service, visitor, app }: DashboardShop,
  settings: Parameters<TestService['newProject']>[0] = {},
) {
  const project = await service.newProject(settings);
  const customer = customerOf(service, project);
  const base = `/dashboard/${project.project.id}/live`;
  await visitor.get(`${base}/review`);
  const csrf = visitor.fields().get('csrf') ?? '';
  let addresses = 0;
  /** Evaluates a user on its own device at its own address. Returns the ID of the evaluation. */
  const evaluate = async (user: string, more: object = {}): Promise<string> => {
    addresses += 1;
    const fingerprint = fingerprintOf({ seed: user });
    const request = { action: 'signup', user, fingerprint, ip: `192.0.2.${addresses}`, ...more };
    return (await customer.evaluate(request)).evaluation_id;
  };
  return {
    project,
    customer,
    base,
    evaluate,
    /** Evaluates a user whom a list marks for review. */
    async mark(user: string): Promise<string> {
      await service.list(project, ['review', 'user', user]);
      return evaluate(user);
    },
    /** Evaluates a user with a disposable email address, which restricts. */
    restrict: (user: string, more: object = {}) => evaluate(user, { email: `${user}@mailinator.com`, ...more }),
    open: (path: string) => visitor.get(base + path),
    post: (path: string, fields: Record<string, string> = {}) => visitor.post(base + path, { csrf, ...fields }),
    labelOf: async (id: string) => (await customer.get(`/v2/evaluations/${id}`)).body.feedback,
    /** Signs another member in. Returns its requests. */
    async colleague(role: 'analyst' | 'viewer') {
      const email = `${role}-${project.project.id}@example.com`;
      const other = await memberAt(app.url, service.service, { email, role, projectId: project.project.id });
      await other.get(`${base}/review`);
      const own = other.fields().get('csrf') ?? '';
      return {
        email,
        open: (path: string) => other.get(base + path),
        post: (path: string, fields: Record<string, string> = {}) => other.post(base + path, { csrf: own, ...fields }),
      };
    },
  };
}

const addressOf = (page: { headers: Headers }) => page.headers.get('Location') ?? '';
const linksIn = ({ html }: { html: string }) =>
  [...html.matchAll(/review\/([\da-f-]{36})\?order=/g)].map(([, id]) => id);

describeDatabases('the review queue of the dashboard', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  test('has what was restricted or marked, and nothing that was allowed, challenged, blocked or failed', async () => {
    const queue = await openQueue(shop);
    await shop.service.list(queue.project, ['block', 'address', elsewhere]);
    const restricted = await queue.restrict('restricted');
    const marked = await queue.mark('marked');
    await queue.evaluate('welcome');
    await queue.customer.challenge('challenged');
    await queue.restrict('banned', { ip: elsewhere });
    await queue.restrict('failing', { outcome: 'failed' });
    const page = await queue.open('/review');
    expect(linksIn(page)).toEqual([restricted, marked]);
    expect(page.text).toMatch(/restricted restrict restricted or denied ?: .*Disposable email address/);
    expect(page.text).toMatch(/marked allow marked for review ?: .*Entry of a list/);
  });

  test('has evaluations with a high score if the project wants them', async () => {
    const queue = await openQueue(shop, { review_score: 0 });
    const id = await queue.evaluate('lea');
    const page = await queue.open('/review?order=score');
    expect(linksIn(page)).toEqual([id]);
    expect(page.text).toContain('high risk score');
    const none = await openQueue(shop, { review_score: 100 });
    await none.evaluate('lea');
    expect(linksIn(await none.open('/review'))).toEqual([]);
  });

  test('takes, labels with a note, and goes on to the next one', async () => {
    const queue = await openQueue(shop);
    const [first, second] = [await queue.mark('first'), await queue.mark('second')];
    expect(addressOf(await queue.post('/review'))).toBe(`${queue.base}/review/${first}?order=oldest`);
    const page = await queue.open(`/review/${first}?order=oldest`);
    expect(page.text).toMatch(/marked for review.*first.*It is yours until/);
    const decided = await queue.post(`/review/${first}/decide`, { decision: 'fraud', note: 'Charged back.' });
    expect(addressOf(decided)).toBe(`${queue.base}/review/${second}?order=oldest`);
    expect((await queue.open(`/review/${second}`)).text).toContain('labelled as fraud. This is the next one.');
    expect(await queue.labelOf(first)).toEqual({ label: 'fraud', note: 'Charged back.' });
    expect((await queue.open(`/review/${first}`)).text).toMatch(/It was labelled as fraud by ines@example\.com/);
    const last = await queue.post(`/review/${second}/decide`, { decision: 'set_aside' });
    expect(addressOf(last)).toBe(`${queue.base}/review`);
    expect(await queue.labelOf(second)).toBeUndefined();
    const { text } = await queue.open('/review');
    expect(text).toContain('set aside. Nothing else waits for a review.');
    expect(text).toMatch(/Waiting 0 /);
    expect((await queue.open('/audit')).text).toMatch(
      /Evaluation set aside.*Review taken.*Evaluation labelled as fraud.*Review taken/s,
    );
  });

  test('lets nobody else decide what somebody has taken, for 15 minutes', async () => {
    const queue = await openQueue(shop);
    const id = await queue.mark('taken');
    expect((await queue.post(`/review/${id}/take`)).status).toBe(303);
    const other = await queue.colleague('analyst');
    expect((await other.open(`/review/${id}`)).text).toMatch(/ines@example\.com is working on it, until/);
    const refused = await other.post(`/review/${id}/decide`, { decision: 'fraud' });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Nothing was saved, because ines@example.com is working on this evaluation.');
    expect((await other.post(`/review/${id}/take`)).status).toBe(409);
    expect(addressOf(await other.post('/review'))).toBe(`${queue.base}/review`);
    expect(await queue.labelOf(id)).toBeUndefined();
    shop.service.clock.advance(16 * minuteMs);
    expect((await other.post(`/review/${id}/decide`, { decision: 'legitimate' })).status).toBe(303);
    expect((await queue.labelOf(id)).label).toBe('legitimate');
    const late = await queue.post(`/review/${id}/decide`, { decision: 'fraud' });
    expect(late.status).toBe(409);
    expect(late.text).toContain(`${other.email} decided this already: it was labelled as legitimate.`);
    expect((await queue.labelOf(id)).label).toBe('legitimate');
  });

  test('decides once if two people decide at the same moment', async () => {
    const queue = await openQueue(shop);
    const id = await queue.mark('raced');
    const other = await queue.colleague('analyst');
    const answers = await Promise.all([
      queue.post(`/review/${id}/decide`, { decision: 'fraud' }),
      other.post(`/review/${id}/decide`, { decision: 'legitimate' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect((await queue.labelOf(id)).label).toBe(answers[0].status === 303 ? 'fraud' : 'legitimate');
  });

  test('gives two people different evaluations', async () => {
    const queue = await openQueue(shop);
    const ids = [await queue.mark('left'), await queue.mark('right')];
    const other = await queue.colleague('analyst');
    const taken = await Promise.all([queue.post('/review'), other.post('/review')]);
    expect(taken.map((page) => /review\/([\da-f-]{36})/.exec(addressOf(page))?.[1]).sort()).toEqual(ids.sort());
  });

  test('no longer has what the API or the page of the evaluation labelled', async () => {
    const queue = await openQueue(shop);
    const [byApi, onPage] = [await queue.mark('by api'), await queue.mark('on page')];
    await queue.customer.ask(`/v2/evaluations/${byApi}/feedback`, { label: 'fraud' });
    await queue.post(`/evaluations/${onPage}/feedback`, { label: 'legitimate' });
    const { text } = await queue.open('/review');
    expect(text).toContain('Nothing waits for a review.');
    // These were not decided in the queue.
    expect(text).toContain('Decided here in 30 days 0 ');
    expect((await queue.open(`/review/${byApi}`)).text).toMatch(/It was labelled as fraud by sk_live_…/);
  });

  test('shows the median time to a decision, and the agreement with the verdict', async () => {
    const queue = await openQueue(shop);
    const ids = [await queue.restrict('a'), await queue.restrict('b'), await queue.restrict('c')];
    for (const [index, decision] of ['fraud', 'fraud', 'legitimate'].entries()) {
      shop.service.clock.advance(20 * minuteMs);
      await queue.post(`/review/${ids[index]}/decide`, { decision });
    }
    const { text } = await queue.open('/review');
    expect(text).toMatch(
      /Decided here in 30 days 3 Median time to decision 40 min Agreement with the verdict 66\.66% of 3 labels/,
    );
    const slow = await openQueue(shop);
    shop.service.clock.advance(-dayMs);
    const waited = await slow.restrict('d');
    shop.service.clock.advance(dayMs);
    await slow.post(`/review/${waited}/decide`, { decision: 'fraud' });
    expect((await slow.open('/review')).text).toContain('Median time to decision 1 day ');
  });

  test('has pages, the oldest or the highest score first', async () => {
    const queue = await openQueue(shop);
    const ids = [];
    for (let count = 0; count < 27; count += 1) ids.push(await queue.mark(`queued ${count}`));
    const pagesOf = async (path: string) => {
      const first = await queue.open(path);
      const next = /href="[^"]*(\?[^"]*after=[^"]*)" rel="next"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
      return [linksIn(first), linksIn(await queue.open(`/review${next}`))];
    };
    expect(await pagesOf('/review')).toEqual([ids.slice(0, 25), ids.slice(25)]);
    const [first = [], second = []] = await pagesOf('/review?order=score');
    expect([first.length, second.length]).toEqual([25, 2]);
    expect([...first, ...second].sort()).toEqual([...ids].sort());
    expect(linksIn(await queue.open('/review?after=nonsense&order=nonsense'))[0]).toBe(ids[0]);
  });

  test('shows precision and recall of verdicts, reasons, rules and tags, with intervals', async () => {
    const rules = [
      { name: 'Bulk <b>', when: 'user.id.startsWith("bulk")', effect: 'review' },
      { name: 'Considered', when: 'user.id.startsWith("bulk")', effect: 'deny', state: 'shadow' },
      { name: 'Tags', when: 'user.id == "bulk-1"', effect: 'tag', tag: 'wave' },
    ];
    const queue = await openQueue(shop, { rules });
    expect((await queue.open('/review/labels')).text).toContain('No labels yet.');
    const labelled = [
      [await queue.restrict('bulk-1'), 'fraud'],
      [await queue.restrict('bulk-2'), 'fraud'],
      [await queue.evaluate('bulk-3'), 'fraud'],
      [await queue.restrict('bulk-4'), 'legitimate'],
      [await queue.evaluate('other'), 'fraud'],
    ] as const;
    await queue.restrict('unlabelled');
    for (const [id, label] of labelled) await queue.customer.ask(`/v2/evaluations/${id}/feedback`, { label });
    const { text, html } = await queue.open('/review/labels');
    expect(text).toContain('4 fraud, 1 legitimate');
    expect(text).toContain(
      'Verdicts Labels by verdict Verdict Fraud Legitimate Precision Recall restrict 2 1 67% (21–94%) 50% (15–85%) allow 2 0 100% (34–100%) 50% (15–85%)',
    );
    expect(text).toContain('Disposable email address 2 1 67% (21–94%) 50% (15–85%)');
    expect(text).toMatch(
      / Rules Labels by rule .* 3 1 75% \(30–95%\) 75% \(30–95%\) Tags 1 0 .* Rules in shadow .* Considered 3 1 75%/,
    );
    expect(text).toContain('Tags Labels by tag Tag Fraud Legitimate Precision Recall wave 1 0 100% (21–100%) 25%');
    expect(html).toContain('Bulk &lt;b&gt;');
    expect(text).toContain('Without a label, it is unknown whether it was fraud');
  });

  test('refuses a missing decision, a long note, viewers, and IDs of other projects', async () => {
    const queue = await openQueue(shop);
    const id = await queue.mark('guarded');
    expect((await queue.post(`/review/${id}/decide`)).status).toBe(400);
    const note = `${'x'.repeat(2001)}</textarea><script>`;
    const long = await queue.post(`/review/${id}/decide`, { decision: 'fraud', note });
    expect(long.status).toBe(422);
    expect(long.text).toContain('The note can have at most 2,000 characters.');
    expect(long.html).not.toContain('</textarea><script>');
    const viewer = await queue.colleague('viewer');
    const page = await viewer.open(`/review/${id}`);
    expect([page.status, page.html.includes('/decide"')]).toEqual([200, false]);
    for (const path of [`/${id}/decide`, `/${id}/take`, '']) {
      expect((await viewer.post(`/review${path}`, { decision: 'fraud' })).status).toBe(403);
    }
    const stranger = await openQueue(shop);
    const theirs = await stranger.mark('theirs');
    for (const foreign of [theirs, 'nonsense']) {
      expect((await queue.open(`/review/${foreign}`)).status).toBe(404);
      expect((await queue.post(`/review/${foreign}/take`)).status).toBe(404);
      expect((await queue.post(`/review/${foreign}/decide`, { decision: 'fraud' })).status).toBe(404);
    }
    expect(await stranger.labelOf(theirs)).toBeUndefined();
    expect(await queue.labelOf(id)).toBeUndefined();
  });

  test('forgets the reviews of erased users, with and without a row', async () => {
    const queue = await openQueue(shop, { rules: [{ name: 'None', when: 'user.id == "denied"', effect: 'deny' }] });
    const marked = await queue.mark('erased');
    const denied = await queue.evaluate('denied');
    for (const [user, id] of [
      ['erased', marked],
      ['denied', denied],
    ]) {
      expect((await queue.open(`/review/${id}`)).status).toBe(200);
      await queue.customer.ask(`/v2/user/${user}/delete`);
      expect((await queue.open(`/review/${id}`)).status).toBe(404);
    }
    const rows = await shop.service.db
      .selectFrom('reviews')
      .select('cause')
      .where('evaluation_id', 'in', [marked, denied])
      .execute();
    expect(rows).toEqual([]);
  });
});
