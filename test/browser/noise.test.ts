import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { firefox } from './harness/firefox';
import { startServer, type TestServer } from './harness/server';
import { openSession } from './harness/shared-browsers';
import type { BrowserSession, LaunchOptions, TestPage } from './harness/types';
import { inPage } from './support/session';
import { differences, getComponents, getHash, load, unreadableFacets, visit } from './support/whorl';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const blank = async (page: TestPage) => (await visit(page, server.url('/blank.html')))[0];

/** Facets that resistFingerprinting makes equal, or changes at each visit, and those that Firefox never has. */
const resisted = [
  'memory',
  'gpu',
  'touch',
  'memoryFrom8',
  'gl',
  'raster',
  'text',
  'media',
  'screen',
  'input',
  'timezone',
];

describe.skipIf(!firefox.available())('Firefox modes that change readings', () => {
  const modes: { name: string; launch: LaunchOptions; unreadable: string[] }[] = [
    {
      name: 'resistFingerprinting',
      launch: { preferences: { 'privacy.resistFingerprinting': true } },
      unreadable: resisted,
    },
    {
      name: 'resistFingerprinting without WebGL',
      launch: { preferences: { 'privacy.resistFingerprinting': true, 'webgl.disabled': true } },
      unreadable: resisted,
    },
    { name: 'private mode', launch: { privateMode: true }, unreadable: ['memory', 'memoryFrom8', 'media'] },
    {
      name: 'fingerprinting protection with canvas randomisation',
      launch: {
        preferences: {
          'privacy.fingerprintingProtection': true,
          'privacy.fingerprintingProtection.overrides': '-AllTargets,+CanvasRandomization',
        },
      },
      unreadable: ['memory', 'memoryFrom8', 'raster', 'text', 'media'],
    },
  ];

  /** Readings of three launches by mode, because values can change with each launch. */
  const runs = new Map<string, string[]>();
  const pixelsOf = new Map<string, string[]>();
  let without: string;
  beforeAll(async () => {
    without = await inPage(firefox, {}, blank);
    for (const { name, launch } of modes) {
      const hashes: string[] = [];
      const pixels: string[] = [];
      for (let run = 0; run < 3; run++) {
        await inPage(firefox, launch, async (page) => {
          hashes.push(await blank(page));
          pixels.push(await drawnPixels(page));
        });
      }
      runs.set(name, hashes);
      pixelsOf.set(name, pixels);
    }
  });

  for (const { name, unreadable } of modes) {
    test(`${name}: no facet takes a new value in three runs`, () => {
      const hashes = runs.get(name) ?? [];
      expect(hashes).toHaveLength(3);
      for (const hash of hashes) {
        expect(differences(hashes[0] ?? '', hash)).toEqual([]);
        expect(unreadableFacets(hash)).toEqual(unreadable);
      }
    });

    test(`${name}: readable facets are the same as without it`, () => {
      const changed = differences(without, runs.get(name)?.[0] ?? '');
      expect(changed.filter((facet) => !unreadable.includes(facet))).toEqual([]);
    });
  }

  test('canvas randomisation changed the pixels in these runs', () => {
    const pixels = pixelsOf.get('fingerprinting protection with canvas randomisation');
    expect(pixels).toHaveLength(3);
    expect(new Set(pixels).size).toBe(3);
  });
});

/** Draws on a canvas that the package does not use, and returns its pixels. */
function drawnPixels(page: TestPage): Promise<string> {
  return page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d');
    if (!context) throw new Error('No canvas');
    context.fillStyle = '#369';
    context.fillRect(0, 0, 60, 20);
    context.fillStyle = '#f00';
    context.fillText('randomised', 2, 12);
    return [...context.getImageData(0, 0, 60, 20).data].join();
  });
}

describeEngines('touch points', (engine) => {
  /** What the fingerprinting protection of Firefox, or WebKit, would report, see Mozilla's CollapseMaxTouchPoints. */
  const collapsed = (points: number) => (points > 1 && engine.name !== 'chromium' ? 5 : points);

  test('are the same with and without protection', async () => {
    await inPage(engine, undefined, async (page) => {
      for (const points of [0, 1, 2, 5, 10]) {
        await page.goto(server.url('/blank.html'));
        await page.evaluate((given) => {
          Object.defineProperty(Navigator.prototype, 'maxTouchPoints', { get: () => given });
        }, points);
        await load(page);
        const { touchPoints } = (await getComponents(page)).readings;
        expect(touchPoints).toMatchObject({ status: 'ok', value: collapsed(points) });
      }
    });
  });
});

describeEngines('noise added in the page', (engine) => {
  /** Adds noise like extensions do, different for each visit. */
  function addCanvasNoise(): void {
    for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
      const original = prototype.getImageData;
      prototype.getImageData = function (this: CanvasRenderingContext2D, ...args: Parameters<typeof original>) {
        const image = original.apply(this, args);
        for (let index = 0; index < image.data.length; index += 4) {
          if (Math.random() < 0.1) image.data[index] = (image.data[index] ?? 0) ^ 1;
        }
        return image;
      };
    }
  }

  function addAudioNoise(): void {
    const original = AudioBuffer.prototype.getChannelData;
    AudioBuffer.prototype.getChannelData = function (channel: number) {
      return original.call(this, channel).map((sample) => sample + Math.random() * 1e-7);
    };
  }

  let session: BrowserSession;
  beforeAll(async () => {
    session = await openSession(engine);
  });
  afterAll(() => session?.close());

  async function visitPatched(patch: () => void): Promise<string[]> {
    const page = await session.open(server.url('/blank.html'));
    await load(page);
    const [clean] = await getHash(page);
    await page.reload();
    await page.evaluate(patch);
    await load(page);
    return [clean, (await getHash(page))[0], (await getHash(page))[0]];
  }

  test('canvas noise makes only raster and text unreadable', async () => {
    const [clean = '', first = '', second = ''] = await visitPatched(addCanvasNoise);
    expect(differences(clean, first)).toEqual(['raster', 'text']);
    expect(unreadableFacets(first)).toEqual(expect.arrayContaining(['raster', 'text']));
    expect(differences(first, second)).toEqual([]);
  });

  test('audio noise makes only audio unreadable', async () => {
    const [clean = '', first = '', second = ''] = await visitPatched(addAudioNoise);
    expect(differences(clean, first)).toEqual(['audio']);
    expect(unreadableFacets(first)).toContain('audio');
    expect(differences(first, second)).toEqual([]);
  });

  test('the status of discarded readings is noise', async () => {
    const page = await session.open(server.url('/blank.html'));
    await page.evaluate(addCanvasNoise);
    await load(page);
    const { readings } = await getComponents(page);
    expect([readings.raster.status, readings.text.status, readings.audio.status]).toEqual(['noise', 'noise', 'ok']);
  });
});
