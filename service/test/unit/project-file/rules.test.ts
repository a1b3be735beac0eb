import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeChange, settingChanges } from '../../../src/effects/project-file/rules/changes.js';
import { fileOf, versionOf } from '../../../src/effects/project-file/rules/document.js';
import { completeSettings, planSettings } from '../../../src/effects/project-file/rules/plan-settings.js';
import { compareEndpoints, repeatedUrls } from '../../../src/effects/webhooks/rules/endpoint-urls.js';
import { defaultSettings } from '../../../src/resources/projects/rules/settings.js';
import { anySettings } from '../settings/any-settings.js';

const webhooks = { live: [], test: [] };

describe('a file', () => {
  test('of a project at its defaults has no settings', () => {
    expect(fileOf({ settings: defaultSettings, lists: [], webhooks }, 'here')).toEqual({
      $schema: 'here',
      settings: {},
      lists: [],
      webhooks,
    });
  });

  test('brings every setting to another project, and then changes nothing', () => {
    fc.assert(
      fc.property(anySettings, anySettings, (settings, others) => {
        const { settings: wanted = {} } = JSON.parse(JSON.stringify(fileOf({ settings, lists: [], webhooks }, '')));
        const plan = planSettings({ ...others }, wanted);
        expect([plan.complete, plan.issues]).toEqual([settings, []]);
        expect(completeSettings(plan.after)).toEqual(settings);
        const again = planSettings(plan.after, wanted);
        expect([again.after, settingChanges(plan.complete, again.complete)]).toEqual([plan.after, []]);
      }),
    );
  });

  test('has a version that does not depend on the order of stored fields', () => {
    const versionWith = (names: readonly string[]) => {
      const policy = { login: Object.fromEntries(names.map((name) => [name, 'deny'])) };
      return versionOf(fileOf({ settings: planSettings({}, { policy }).complete, lists: [], webhooks }, ''));
    };
    expect(versionWith(['new_ip', 'velocity'])).toBe(versionWith(['velocity', 'new_ip']));
    expect(versionWith(['new_ip', 'velocity'])).not.toBe(versionWith(['new_ip']));
  });
});

describe('settings of a file', () => {
  test('keep a stored value that was valid once and is not any more, unless it changes', () => {
    const stored = { allowed_origins: ['shop.example/path'], learning_days: 3 };
    expect(planSettings(stored, { ...stored, learning_days: 4 })).toMatchObject({
      after: { ...stored, learning_days: 4 },
      issues: [],
    });
    expect(planSettings({}, stored).issues).toMatchObject([{ path: 'settings.allowed_origins.0' }]);
  });

  test('replace stored values that cannot be read, and keep stored names that are unknown', () => {
    const { after, complete } = planSettings({ mode: 'sometimes', later: 1 }, { learning_days: 3 });
    expect(after).toEqual({ later: 1, learning_days: 3 });
    expect(complete).toEqual({ ...defaultSettings, learning_days: 3 });
  });

  test('are stored as they are written, and not at all if they equal the default', () => {
    const { after } = planSettings({ learning_days: 3 }, { learning_days: 0, device_limit: { mobile: 1 } });
    expect(after).toEqual({ device_limit: { mobile: 1 } });
  });
});

describe('changes', () => {
  test('are listed down to single values and entries', () => {
    const from = {
      ...defaultSettings,
      allowed_origins: ['ada', 'bob'],
      policy: { login: { new_ip: 'deny' as const } },
    };
    const to = {
      ...defaultSettings,
      allowed_origins: ['bob', 'cyd'],
      policy: { signup: { velocity: 'off' as const } },
    };
    expect(settingChanges(from, to).map(describeChange)).toEqual([
      '- settings.allowed_origins: "ada"',
      '+ settings.allowed_origins: "cyd"',
      '- settings.policy.login.new_ip: "deny"',
      '+ settings.policy.signup.velocity: "off"',
    ]);
  });

  test('show a new order as a whole', () => {
    const from = { ...defaultSettings, allowed_origins: ['ada', 'bob'] };
    const to = { ...defaultSettings, allowed_origins: ['bob', 'ada'] };
    expect(settingChanges(from, to).map(describeChange)).toEqual([
      '~ settings.allowed_origins: ["ada","bob"] → ["bob","ada"]',
    ]);
  });

  test('cannot change what a terminal shows', () => {
    const line = describeChange({ change: 'added', path: 'settings.allowed_origins', to: 'a\u001b[2J\u009b\u202eb' });
    expect(line).toBe(String.raw`+ settings.allowed_origins: "a\u001b[2J\u009b\u202eb"`);
  });
});

describe('webhook endpoints of a file', () => {
  const existing = ['https://a.example/x', 'https://a.example/y?token=1', 'https://a.example/y?token=2'].map((url) => ({
    url,
  }));
  const outcome = (...urls: string[]) => {
    const { added, removed } = compareEndpoints(urls, existing);
    return [added.map((at) => urls[at]), removed.map(({ url }) => url)];
  };

  test.each<[urls: string[], added: string[], removed: string[]]>([
    [[], [], existing.map(({ url }) => url)],
    [['https://a.example/x', 'https://a.example/y', 'https://a.example/y'], [], []],
    [['https://A.example/x', 'https://a.example/y?token=2', 'https://a.example/y'], [], []],
    [['https://a.example/y?token=2'], [], ['https://a.example/x', 'https://a.example/y?token=1']],
    [['https://a.example/x?token=1'], ['https://a.example/x?token=1'], existing.map(({ url }) => url)],
    [['nonsense'], ['nonsense'], existing.map(({ url }) => url)],
  ])('%j', (urls, added, removed) => {
    expect(outcome(...urls)).toEqual([added, removed]);
  });

  test('are repeated if their URLs mean the same', () => {
    expect(repeatedUrls(['https://a.example', 'https://A.example/', 'https://a.example/?', 'x', 'x'])).toEqual([1, 4]);
  });
});
