import { describe, expect, test } from 'vitest';
import { judge, judgeIntegrity, type ReadingResults } from '../../src/collector/judge.js';
import { type ReadingName, registry } from '../../src/collector/registry.js';
import type { ReadingResult, ReadingValue } from '../../src/collector/result.js';
import { integrityBits } from '../../src/fingerprint/integrity.js';

const names = Object.keys(registry) as ReadingName[];

/** Values of a browser without noise, spoofing or automation. */
const clean: Partial<Record<ReadingName, ReadingValue>> = {
  raster: [1, true],
  text: [2, true],
  audio: [3.5, true],
  gpu: 'geforce gtx 1650',
  worker: [
    ['memory', "memory's value"],
    ['raster', [1, true]],
  ],
  automation: [false, false, false, false],
  tampering: [false, false, false, false, false, false, false],
};

/** Returns all readings. `changed` replaces values or, with an object, results. */
function results(changed: Partial<Record<ReadingName, ReadingValue | ReadingResult>> = {}): ReadingResults {
  const resultOf = (name: ReadingName): ReadingResult => {
    const value = changed[name] ?? clean[name] ?? `${name}'s value`;
    return isResult(value) ? value : { status: 'ok', value, durationMs: 1 };
  };
  return Object.fromEntries(names.map((name) => [name, resultOf(name)])) as Record<ReadingName, ReadingResult>;
}

function isResult(value: ReadingValue | ReadingResult): value is ReadingResult {
  return typeof value === 'object' && 'status' in value;
}

/** Returns the readings that are discarded, with their new status. */
function discarded(given: ReadingResults, isBrave = false): Record<string, string> {
  const judged = judge(given, isBrave);
  return Object.fromEntries(
    names.filter((name) => judged[name] !== given[name]).map((name) => [name, judged[name].status]),
  );
}

const pixels = { raster: 'noise', text: 'noise' };
const farbled = Object.fromEntries(
  ['cores', 'memory', 'memoryFrom8', 'gpu', 'glParameters', 'glExtensions', 'fonts', 'codecs', 'screen'].map((name) => [
    name,
    'noise',
  ]),
);

describe('noise', () => {
  test('nothing is discarded in a clean browser, also in Brave', () => {
    expect(discarded(results())).toEqual({});
    expect(discarded(results(), true)).toEqual({});
  });

  test.each(['raster', 'text'] as const)('if %s is read back changed, both drawings are noise', (name) => {
    expect(discarded(results({ [name]: [1, false] }))).toEqual(pixels);
  });

  test('if audio is read back changed, only audio is noise', () => {
    expect(discarded(results({ audio: [3.5, false] }))).toEqual({ audio: 'noise' });
  });

  test('in Brave, changed pixels also discard the other randomised readings', () => {
    expect(discarded(results({ raster: [1, false] }), true)).toEqual({ ...pixels, ...farbled });
  });

  test('in Brave, changed audio does not', () => {
    expect(discarded(results({ audio: [3.5, false] }), true)).toEqual({ audio: 'noise' });
  });

  test('an unreadable value keeps its own status', () => {
    const blocked: ReadingResult = { status: 'blocked', durationMs: 1 };
    expect(discarded(results({ raster: [1, false], text: blocked }))).toEqual({ raster: 'noise' });
  });

  test('a discarded reading keeps its duration, but not its value', () => {
    const { raster } = judge(results({ raster: { status: 'ok', value: [1, false], durationMs: 7 } }), false);
    expect(raster).toEqual({ status: 'noise', durationMs: 7 });
  });

  test('the passed results are not changed', () => {
    const given = Object.freeze(results({ raster: [1, false], audio: [1, false] }));
    expect(() => judge(given, true)).not.toThrow();
  });
});

test('if Firefox names its vendor as the GPU, the values that it standardises are blocked', () => {
  const blocked = ['gpu', 'touchPoints', 'glParameters', 'screen', 'pointers', 'timezone'];
  expect(discarded(results({ gpu: 'mozilla' }))).toEqual(Object.fromEntries(blocked.map((name) => [name, 'blocked'])));
});

test('if there is no GPU, changed pixels show that Firefox standardises values', () => {
  const gpu: ReadingResult = { status: 'unsupported', durationMs: 1 };
  const blocked = ['touchPoints', 'glParameters', 'screen', 'pointers', 'timezone'];
  const expected = { ...pixels, ...Object.fromEntries(blocked.map((name) => [name, 'blocked'])) };
  expect(discarded(results({ gpu, raster: [1, false] }))).toEqual(expected);
  expect(discarded(results({ gpu }))).toEqual({});
});

describe('an available worker', () => {
  const workerValues: ReadingValue = [
    ['operatingSystem', ['dl', 64]],
    ['cores', 2],
  ];
  /** Returns the names and values of readings that differ from those of the page. */
  const replaced = (changed: Parameters<typeof results>[0]) => {
    const given = results({ worker: workerValues, operatingSystem: ['dl', 64], cores: 2, ...changed });
    const judged = judge(given, false);
    return Object.fromEntries(
      names
        .filter((name) => judged[name] !== given[name])
        .map((name) => [name, 'value' in judged[name] && judged[name].value]),
    );
  };

  test('changes nothing if the page agrees', () => {
    expect(replaced({})).toEqual({});
  });

  test('replaces contradicting values of the page', () => {
    expect(replaced({ cores: 16 })).toEqual({ cores: 2 });
  });

  test('replaces memory from 8 GiB with the memory, also if one of the two cannot read it', () => {
    const small: ReadingResult = { status: 'unsupported', durationMs: 1 };
    const large = [...workerValues, ['memory', 8], ['memoryFrom8', 24]];
    expect(replaced({ memory: 2, memoryFrom8: small, worker: large })).toEqual({ memory: 8, memoryFrom8: 24 });
    expect(replaced({ memory: 8, memoryFrom8: 32, worker: [...workerValues, ['memory', 4]] })).toEqual({
      memory: 4,
      memoryFrom8: false,
    });
  });

  test('adds no values that the page could not read', () => {
    expect(replaced({ cores: { status: 'unsupported', durationMs: 1 } })).toEqual({});
  });
});

describe('integrity', () => {
  const maskOf = (name: (typeof integrityBits)[number]) => 1 << integrityBits.indexOf(name);
  const failed: ReadingResult = { status: 'error', durationMs: 1 };

  test('is 0 for a clean browser', () => {
    expect(judgeIntegrity(results())).toBe(0);
  });

  test('says that checks could not run if nothing could be read', () => {
    const nothing = Object.fromEntries(names.map((name) => [name, failed]));
    expect(judgeIntegrity(results(nothing))).toBe(maskOf('unreadable_check'));
  });

  test.each([0, 1, 2, 3])('check %i of automation that could not run leaves the others', (index) => {
    const facts = ['webdriver', 'headless_user_agent', 'driver_traces', 'inspected'] as const;
    const masks = facts.filter((_, each) => each !== index).map(maskOf);
    const bits = [...masks, maskOf('unreadable_check')].reduce((all, mask) => all | mask);
    expect(judgeIntegrity(results({ automation: facts.map((_, each) => each !== index || '') }))).toBe(bits);
  });

  test.each([
    [0, 'webdriver'],
    [1, 'headless_user_agent'],
    [2, 'driver_traces'],
    [3, 'inspected'],
  ] as const)('fact %i of automation is %s', (index, name) => {
    const facts = [0, 1, 2, 3].map((each) => each === index);
    expect(judgeIntegrity(results({ automation: facts }))).toBe(maskOf(name));
  });

  test.each([
    [0, 'proxied_function'],
    [1, 'accepts_wrong_receiver'],
    [2, 'inconsistent_getter'],
    [3, 'resolution_contradiction'],
    [4, 'engine_contradiction'],
    [5, 'system_contradiction'],
    [6, 'scripted_function'],
  ] as const)('fact %i of tampering is %s', (index, name) => {
    const facts = [0, 1, 2, 3, 4, 5, 6].map((each) => each === index);
    expect(judgeIntegrity(results({ tampering: facts }))).toBe(maskOf(name));
  });

  test.each<[(typeof integrityBits)[number], Partial<Record<ReadingName, ReadingValue>>]>([
    ['worker_contradiction', { worker: [['cores', 4]] }],
    ['canvas_noise', { raster: [1, false] }],
    ['canvas_noise', { text: [1, false] }],
    ['audio_noise', { audio: [1, false] }],
  ])('%s from %j', (name, changed) => {
    expect(judgeIntegrity(results(changed))).toBe(maskOf(name));
  });

  test('a failed reading does not change the bits of others', () => {
    const tampering = [false, false, false, false, false, true, false];
    const unreadable = maskOf('unreadable_check');
    expect(judgeIntegrity(results({ automation: failed, tampering }))).toBe(
      maskOf('system_contradiction') | unreadable,
    );
    expect(judgeIntegrity(results({ tampering: failed, worker: [['cores', 3]] }))).toBe(
      maskOf('worker_contradiction') | unreadable,
    );
  });

  test('all together set all bits, except that all checks could run', () => {
    const all = {
      automation: [true, true, true, true],
      tampering: [true, true, true, true, true, true, true],
      worker: [['cores', 4]],
      raster: [1, false],
      audio: [1, false],
    };
    expect(judgeIntegrity(results(all))).toBe(2 ** (integrityBits.length - 1) - 1);
  });
});
