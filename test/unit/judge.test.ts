import { describe, expect, test } from 'vitest';
import { judge, judgeIntegrity, type ReadingResults } from '../../src/collector/judge.js';
import { type ReadingName, registry } from '../../src/collector/registry.js';
import type { ReadingResult, ReadingValue } from '../../src/collector/result.js';
import { integrityBits } from '../../src/fingerprint/integrity.js';

const names = Object.keys(registry) as ReadingName[];

/** Values of a browser that changes nothing and hides nothing. */
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

/** All readings, those of `changed` with another value or, for an object, another result. */
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

/** The readings that are taken out, and as what. */
function takenOut(given: ReadingResults, isBrave = false): Record<string, string> {
  const judged = judge(given, isBrave);
  return Object.fromEntries(
    names.filter((name) => judged[name] !== given[name]).map((name) => [name, judged[name].status]),
  );
}

const pixels = { raster: 'noise', text: 'noise' };
const farbled = Object.fromEntries(
  ['cores', 'memory', 'gpu', 'glParameters', 'glExtensions', 'fonts', 'codecs'].map((name) => [name, 'noise']),
);

describe('noise', () => {
  test('nothing is taken out of a clean browser, in Brave neither', () => {
    expect(takenOut(results())).toEqual({});
    expect(takenOut(results(), true)).toEqual({});
  });

  test.each(['raster', 'text'] as const)('where %s comes back changed, both drawings are noise', (name) => {
    expect(takenOut(results({ [name]: [1, false] }))).toEqual(pixels);
  });

  test('audio that comes back changed is noise alone', () => {
    expect(takenOut(results({ audio: [3.5, false] }))).toEqual({ audio: 'noise' });
  });

  test('in Brave, changed pixels speak for what else it changes at random', () => {
    expect(takenOut(results({ raster: [1, false] }), true)).toEqual({ ...pixels, ...farbled });
  });

  test('in Brave, changed audio does not', () => {
    expect(takenOut(results({ audio: [3.5, false] }), true)).toEqual({ audio: 'noise' });
  });

  test('what could not be read keeps its own reason', () => {
    const blocked: ReadingResult = { status: 'blocked', durationMs: 1 };
    expect(takenOut(results({ raster: [1, false], text: blocked }))).toEqual({ raster: 'noise' });
  });

  test('what is taken out keeps its duration, and not its value', () => {
    const { raster } = judge(results({ raster: { status: 'ok', value: [1, false], durationMs: 7 } }), false);
    expect(raster).toEqual({ status: 'noise', durationMs: 7 });
  });

  test('the results given stay as they were', () => {
    const given = Object.freeze(results({ raster: [1, false], audio: [1, false] }));
    expect(() => judge(given, true)).not.toThrow();
  });
});

test('where Firefox names its maker as the GPU, what it shows alike for everybody is blocked', () => {
  const blocked = ['gpu', 'touchPoints', 'glParameters', 'screen', 'pointers', 'timezone'];
  expect(takenOut(results({ gpu: 'mozilla' }))).toEqual(Object.fromEntries(blocked.map((name) => [name, 'blocked'])));
});

describe('a worker that is there', () => {
  const told: ReadingValue = [
    ['operatingSystem', ['dl', 64]],
    ['cores', 2],
    ['fonts', ['DejaVu Sans']],
    ['raster', [7, true]],
    ['text', [8, true]],
  ];
  /** Names and values of what is no longer as the page read it. */
  const replaced = (changed: Parameters<typeof results>[0]) => {
    const given = results({ worker: told, operatingSystem: ['dl', 64], cores: 2, ...changed });
    const judged = judge(given, false);
    return Object.fromEntries(
      names
        .filter((name) => judged[name] !== given[name])
        .map((name) => [name, 'value' in judged[name] && judged[name].value]),
    );
  };

  test('changes nothing where the page says the same, other fonts and pixels or not', () => {
    expect(replaced({})).toEqual({});
  });

  test('is believed where the page contradicts it', () => {
    expect(replaced({ cores: 16 })).toEqual({ cores: 2 });
  });

  test('is believed about fonts where the page looked for those of another system', () => {
    expect(replaced({ operatingSystem: ['dw', 64] })).toEqual({
      operatingSystem: ['dl', 64],
      fonts: ['DejaVu Sans'],
    });
  });

  test('has the drawings where those of the page came back changed', () => {
    expect(replaced({ text: [5, false] })).toEqual({ raster: [7, true], text: [8, true] });
  });

  test.each<[string, ReadingValue]>([
    [
      'have noise, too',
      [
        ['raster', [7, false]],
        ['text', [8, true]],
      ],
    ],
    ['are missing', [['raster', [7, true]]]],
  ])('its own drawings count for nothing where they %s', (_, worker) => {
    expect(takenOut(results({ worker, raster: [1, false] }))).toEqual(pixels);
  });

  test('adds nothing that the page could not read', () => {
    expect(replaced({ cores: { status: 'unsupported', durationMs: 1 } })).toEqual({});
  });
});

describe('integrity', () => {
  const bitOf = (name: (typeof integrityBits)[number]) => 1 << integrityBits.indexOf(name);
  const failed: ReadingResult = { status: 'error', durationMs: 1 };

  test('is 0 for a clean browser', () => {
    expect(judgeIntegrity(results())).toBe(0);
  });

  test('is 0 where nothing could be read', () => {
    const nothing = Object.fromEntries(names.map((name) => [name, failed]));
    expect(judgeIntegrity(results(nothing))).toBe(0);
  });

  test.each([
    [0, 'webdriver'],
    [1, 'headless_user_agent'],
    [2, 'driver_traces'],
    [3, 'inspected'],
  ] as const)('fact %i of automation is %s', (index, name) => {
    const facts = [0, 1, 2, 3].map((each) => each === index);
    expect(judgeIntegrity(results({ automation: facts }))).toBe(bitOf(name));
  });

  test.each([
    [0, 'proxied_function'],
    [1, 'answers_strangers'],
    [2, 'two_answers'],
    [3, 'resolution_contradiction'],
    [4, 'engine_contradiction'],
    [5, 'system_contradiction'],
    [6, 'scripted_function'],
  ] as const)('fact %i of tampering is %s', (index, name) => {
    const facts = [0, 1, 2, 3, 4, 5, 6].map((each) => each === index);
    expect(judgeIntegrity(results({ tampering: facts }))).toBe(bitOf(name));
  });

  test.each<[(typeof integrityBits)[number], Partial<Record<ReadingName, ReadingValue>>]>([
    ['worker_contradiction', { worker: [['cores', 4]] }],
    ['canvas_noise', { raster: [1, false] }],
    ['canvas_noise', { text: [1, false] }],
    ['audio_noise', { audio: [1, false] }],
  ])('%s from %j', (name, changed) => {
    expect(judgeIntegrity(results(changed))).toBe(bitOf(name));
  });

  test('a reading that failed does not move the bits of others', () => {
    const tampering = [false, false, false, false, false, true];
    expect(judgeIntegrity(results({ automation: failed, tampering }))).toBe(bitOf('system_contradiction'));
    expect(judgeIntegrity(results({ tampering: failed, worker: [['gpu', 'another']] }))).toBe(
      bitOf('worker_contradiction'),
    );
  });

  test('all together set all bits', () => {
    const all = {
      automation: [true, true, true, true],
      tampering: [true, true, true, true, true, true, true],
      worker: [['cores', 4]],
      raster: [1, false],
      audio: [1, false],
    };
    expect(judgeIntegrity(results(all))).toBe(2 ** integrityBits.length - 1);
  });
});
