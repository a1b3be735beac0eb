import { describe, expect, test } from 'vitest';
import type { DeviceStatus } from 'whorl/wire';
import {
  afterCompletion,
  afterDetach,
  afterUpdate,
  type CurrentDevice,
} from '../../../src/resources/devices/rules/changes.js';

const now = new Date('2026-03-01T12:00:00.000Z');
const trusted: CurrentDevice = { status: 'attached', trusted: true, whitelisted: true, auto_detached: false };
const idle: CurrentDevice = { ...trusted, status: 'detached', auto_detached: true };
const gone: CurrentDevice = { status: 'detached', trusted: false, whitelisted: false, auto_detached: false };

describe.each(['detach', 'kick'] as const)('%s', (cause) => {
  test.each(['attached', 'pending'] as const)('removes all trust from a device that is %s', (status) => {
    expect({ ...trusted, ...afterDetach({ ...trusted, status }, cause, now) }).toEqual({ ...gone, detached_at: now });
  });

  test('removes the trust of an inactive device', () => {
    expect(afterDetach(idle, cause, now)).toMatchObject({ trusted: false, whitelisted: false, auto_detached: false });
  });

  test('does nothing a second time', () => {
    expect(afterDetach(gone, cause, now)).toBeUndefined();
  });

  test('does not lift a block', () => {
    expect(afterDetach({ ...trusted, status: 'blocked' }, cause, now)).toBeUndefined();
  });
});

describe('detaching after inactivity', () => {
  test('keeps trust', () => {
    expect({ ...trusted, ...afterDetach(trusted, 'auto_detach', now) }).toEqual({ ...idle, detached_at: now });
  });

  test.each(['detached', 'pending', 'blocked'] as const)('leaves a device that is %s', (status: DeviceStatus) => {
    expect(afterDetach({ ...trusted, status }, 'auto_detach', now)).toBeUndefined();
  });
});

describe('completing', () => {
  test.each([gone, idle, { ...gone, status: 'pending' }] as const)('attaches and trusts %j', (device) => {
    expect({ ...device, ...afterCompletion(device) }).toMatchObject({
      status: 'attached',
      trusted: true,
      auto_detached: false,
      detached_at: null,
    });
  });

  test('does not lift a block', () => {
    expect(afterCompletion({ ...gone, status: 'blocked' })).toBeUndefined();
  });
});

describe("the customer's update", () => {
  test('removes all trust with a block', () => {
    expect({ ...trusted, ...afterUpdate({ status: 'blocked' }) }).toMatchObject({
      status: 'blocked',
      trusted: false,
      whitelisted: false,
    });
  });

  test('does not restore trust when a block is lifted', () => {
    const change = afterUpdate({ status: 'attached' });
    expect(change).toEqual({ status: 'attached', auto_detached: false, detached_at: null, disowned_at: null });
  });

  test('does not change absent fields', () => {
    expect(afterUpdate({})).toEqual({});
    expect(afterUpdate({ whitelisted: false })).toEqual({ whitelisted: false });
  });
});
