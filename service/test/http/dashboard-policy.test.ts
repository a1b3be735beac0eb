import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readSettings } from '../../src/testing.js';
import { administratorAt } from '../support/admin.js';
import { describeDatabases } from '../support/databases.js';
import { submitForm } from '../support/forms.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import type { Visitor } from '../support/visitor.js';

describeDatabases('the policy on the dashboard', (kind) => {
  let service: TestService;
  let project: TestProject;
  let ada: Visitor;
  let ben: Visitor;
  let base: string;
  beforeAll(async () => {
    service = await startService({ database: kind });
    ada = await administratorAt(service.url, service.service, 'ada@shop.example');
    ben = await administratorAt(service.url, service.service, 'ben@shop.example');
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject();
    base = `/dashboard/${project.project.id}/live/policy`;
  });
  const policy = async () => (await readSettings(service.service, { project: project.project.id })).policy;
  const save = async (visitor: Visitor, reason: string, fields: Record<string, string>) =>
    submitForm(visitor, await visitor.get(`${base}/${reason}`), `/policy/${reason}`, fields);

  test('shows what the project changed, and all reasons with their effects', async () => {
    expect((await ada.get(base)).text).toMatch(/Nothing\. Each reason has its default effect\. All reasons 23 reasons/);
    expect((await save(ada, 'new_device', { login: 'report' })).status).toBe(303);
    const { text, headers } = await ada.get(base);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(text).toContain('Policy saved: New device.');
    expect(text).toMatch(/Changed in this project .* New device Login report challenge Change All reasons/);
    expect(text).toContain('New device report report report Change New IP address challenge report report Change');
    expect((await ada.get(base.replace('/policy', '/settings'))).text).toMatch(
      /policy\.login\.new_device ?: default → report/,
    );
  });

  test('changes one reason at a time, keeps the others, and returns to the default', async () => {
    await save(ada, 'new_device', { login: 'report', signup: 'deny' });
    await save(ada, 'automation', { login: 'challenge_and_restrict' });
    expect(await policy()).toEqual({
      login: { new_device: 'report', automation: 'challenge_and_restrict' },
      signup: { new_device: 'deny' },
    });
    await save(ada, 'new_device', { login: '', signup: '' });
    expect(await policy()).toEqual({ login: { automation: 'challenge_and_restrict' } });
    await save(ada, 'automation', { login: '' });
    const { settings } = await service.db
      .selectFrom('projects')
      .select('settings')
      .where('id', '=', project.project.id)
      .executeTakeFirstOrThrow();
    expect(settings).not.toHaveProperty('policy');
  });

  test('is not saved over concurrent changes until the differences were shown', async () => {
    const bens = await ben.get(`${base}/new_device`);
    await save(ada, 'new_device', { login: 'report' });
    await save(ada, 'new_ip', { login: 'off' });
    const refused = await submitForm(ben, bens, '/policy/new_device', { login: 'deny' });
    expect(refused.status).toBe(409);
    expect(refused.text).toMatch(/somebody else changed the policy.*policy\.login\.new_device ?: report → deny/);
    expect(await policy()).toEqual({ login: { new_device: 'report', new_ip: 'off' } });
    expect((await submitForm(ben, refused, '/policy/new_device')).status).toBe(303);
    expect(await policy()).toEqual({ login: { new_device: 'deny', new_ip: 'off' } });
  });

  test('is saved by one of two concurrent requests', async () => {
    const pages = await Promise.all([ada, ben].map((visitor) => visitor.get(`${base}/velocity`)));
    const answers = await Promise.all([
      submitForm(ada, pages[0] ?? { html: '' }, '/policy/velocity', { login: 'off' }),
      submitForm(ben, pages[1] ?? { html: '' }, '/policy/velocity', { login: 'deny' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect((await policy()).login?.velocity).toBe(answers[0].status === 303 ? 'off' : 'deny');
  });

  test('rejects unknown reasons and effects', async () => {
    expect((await ada.get(`${base}/toString`)).status).toBe(404);
    const page = await ada.get(`${base}/new_device`);
    expect((await submitForm(ada, page, '/policy/new_device', { login: 'explode' })).status).toBe(400);
    expect(await policy()).toEqual({});
    expect((await ada.get(base.replace(project.project.id, service.service.newId()))).status).toBe(404);
  });
});
