import { afterEach, beforeEach, expect, test } from 'vitest';
import { createVault, hourMs, resealAll, signDeviceToken, verifyDeviceToken } from '../../src/testing.js';
import { customerOf, home, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { openEvents } from '../support/event-reader.js';
import {
  newSecret,
  oldSecret,
  openRestartableService,
  type RestartableService,
  resealed,
  rotated,
} from '../support/rotation.js';
import type { TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('device tokens and a rotation of the master secret', (kind) => {
  let restarted: RestartableService;
  let service: TestService;
  let page: { readonly device: string; readonly token: string };
  beforeEach(async () => {
    restarted = await openRestartableService(kind);
    service = await restarted.restart();
    const customer = customerOf(service, await service.newProject());
    const request = { action: 'signup', user: 'ann', fingerprint: laptop, ip: home };
    const { device_id, device_token } = await customer.evaluate(request);
    page = { device: device_id, token: device_token };
  });
  afterEach(() => restarted.close());

  const ask = (token = page.token) =>
    service.api(`/v2/device/${page.device}/events`, { key: token, headers: { Accept: 'application/json' } });

  test('an earlier token is accepted for its 24 hours, and replaced by a new one at once', async () => {
    service = await restarted.restart(rotated);
    const { status, body } = await ask();
    expect([status, body]).toEqual([200, { data: [], device_token: expect.any(String) }]);
    const reader = await openEvents(service.url, page);
    await waitFor(() => reader.events.length > 0, { what: 'the new token' });
    reader.close();
    const [{ type, data } = { type: '', data: {} }] = reader.events;
    expect([type, data]).toEqual(['token', { device_token: expect.any(String) }]);
    await resealAll(service.service);
    service = await restarted.restart(resealed);
    expect((await ask()).status).toBe(401);
    expect(await ask(data.device_token)).toMatchObject({ status: 200, body: { data: [] } });
  });

  test('tokens signed with the old secret are rejected after those 24 hours', async () => {
    service = await restarted.restart(rotated);
    service.clock.advance(23 * hourMs);
    const { project } = verifyDeviceToken(createVault(oldSecret), page.token, new Date()) ?? { project: '' };
    const forged = () => signDeviceToken(createVault(oldSecret), { device: page.device, project }, service.clock.now());
    expect((await ask(forged())).status).toBe(200);
    service.clock.advance(hourMs);
    expect((await ask(forged())).status).toBe(401);
  });

  test('tokens of a leaked secret are rejected from the time that the operator sets', async () => {
    service = await restarted.restart({ ...rotated, WHORL_SECRET_PREVIOUS_LEAKED: 'true' });
    expect((await ask()).status).toBe(401);
    service = await restarted.restart(rotated);
    expect((await ask()).status).toBe(401);
  });

  test('tokens of the next secret are accepted while it is configured beside the current one', async () => {
    const next = { WHORL_SECRET: oldSecret, WHORL_SECRET_PREVIOUS: newSecret };
    service = await restarted.restart(next);
    const { project } = verifyDeviceToken(createVault(oldSecret), page.token, new Date()) ?? { project: '' };
    const token = signDeviceToken(createVault(newSecret), { device: page.device, project }, service.clock.now());
    expect(await ask(token)).toMatchObject({ status: 200, body: { device_token: expect.any(String) } });
    expect((await ask()).body).toEqual({ data: [] });
    // It was never the current one, so the service also starts without it.
    service = await restarted.restart();
    expect((await ask(token)).status).toBe(401);
  });
});
