import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, describeDatabases, type FreshDatabase } from '../support/databases.js';
import { environmentFor, runProcess } from '../support/process.js';
import { type Receiver, startReceiver, status } from '../support/receiver.js';

const secretPath = '/services/T0/B0/secretpath';

describeDatabases('the command line for alerts', (kind) => {
  let fresh: FreshDatabase;
  let receiver: Receiver;
  beforeAll(async () => {
    fresh = await createDatabase(kind);
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver.close();
    await fresh.drop();
  });

  const environment = () => ({ ...environmentFor(fresh.options), ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' });
  const alerts = (words: readonly string[], input?: string) =>
    runProcess(['alerts', ...words, '--project', 'Shop'], environment(), { ...(input !== undefined && { input }) });

  test('sets, shows, tries and removes the Slack channel, and never prints its URL', async () => {
    await runProcess(['project', 'create', '--name', 'Shop'], environment());
    expect(await alerts(['slack'])).toEqual({ code: 0, stdout: 'none\n', stderr: '' });
    expect(await alerts(['test'])).toMatchObject({
      code: 1,
      stderr: 'There is nobody to send to. Add a receiver first.\n',
    });
    const refused = await alerts(['slack', '--set'], 'https://10.0.0.1/services/secretpath\n');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('not public');
    const set = await alerts(['slack', '--set'], `${receiver.url}${secretPath}\n`);
    expect(set).toMatchObject({ code: 0, stdout: expect.stringMatching(/^127\.0\.0\.1:\d+\n$/) });
    expect(await alerts(['slack'])).toEqual(set);
    expect(await alerts(['test'])).toMatchObject({ code: 0, stdout: 'Slack  sent\n' });
    expect(receiver.at(secretPath)).toHaveLength(1);
    receiver.answerNext(status(404));
    const failed = await alerts(['test']);
    expect(failed).toMatchObject({ code: 1, stdout: 'Slack  status 404\n', stderr: 'Not all were sent.\n' });
    expect((await alerts(['slack', '--set', '--remove'])).stderr).toContain('cannot be used with');
    expect(await alerts(['slack', '--remove'])).toMatchObject({ code: 0, stdout: 'none\n' });
    for (const { stdout, stderr } of [set, failed, refused]) expect(stdout + stderr).not.toContain('secretpath');
  });
});
