import { chooser } from '../../bench/identity/population/random.mjs';

type Random = () => number;

const phoneScreens = [390, 393, 412, 430].map((width) => ({
  width,
  height: 2 * width,
  devicePixelRatio: 3,
  colorDepth: 24,
}));
const computerScreens = [1366, 1440, 1920, 2560].map((width) => ({ width, height: (width * 9) / 16, colorDepth: 24 }));
const computerFonts = ['Calibri', 'Futura', 'Univers', 'Gill Sans'].map((font, at, all) =>
  all.slice(0, at).concat(font),
);
const apple = { cores: [6], memory: [undefined], cards: ['Apple GPU'] };
const android = { cores: [8], memory: [4, 8], cards: ['Adreno (TM) 640', 'Adreno (TM) 730', 'Mali-G78', 'Mali-G57'] };
const pc = {
  cores: [4, 8, 12, 16],
  memory: [8],
  cards: ['UHD Graphics 620', 'Iris(R) Xe Graphics', 'GeForce RTX 3060', 'GeForce GTX 1650', 'Radeon RX 6600'].map(
    (model) => `ANGLE (${model} Direct3D11 vs_5_0 ps_5_0, D3D11)`,
  ),
};
const mac = {
  cores: [8, 10],
  memory: [8],
  cards: ['ANGLE (Apple, ANGLE Metal Renderer: Apple M1, Unspecified Version)'],
};

/** Browsers with their share, and what their devices have. */
const browsers = [
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Mobile/15E148 Safari/604.1', 30, apple],
  ['Mozilla/5.0 (Linux; Android 10; K) Chrome/120.0.0.0 Mobile Safari/537.36', 30, android],
  ['Mozilla/5.0 (Linux; Android 10; K) Chrome/120.0.0.0 Safari/537.36', 3, android],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120.0.0.0 Safari/537.36', 20, pc],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0', 8, pc],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:121.0) Gecko/20100101 Firefox/121.0', 4, pc],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.4 Safari/605.1.15', 5, { ...mac, ...apple }],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/120.0.0.0 Safari/537.36', 5, mac],
] as const;

const userAgents = chooser(browsers.map(([userAgent, share]) => [userAgent, share]));
const pick = <Value>(random: Random, values: readonly Value[]) => values[Math.floor(random() * values.length)];

/**
 * A few browsers in place of the network of the population benchmark, whose file only people install who run benchmarks. It
 * has the same interface.
 */
export const smallNetwork = {
  userAgent: (random: Random): string => userAgents(random),
  attribute(name: string, userAgent: string, random: Random): unknown {
    const { cores, memory, cards } = browsers.find(([one]) => one === userAgent)?.[2] ?? pc;
    const isTouch = /iPhone|Android/.test(userAgent);
    const values: Readonly<Record<string, readonly unknown[]>> = {
      maxTouchPoints: [isTouch ? 5 : 0],
      videoCard: cards.map((renderer) => ({ vendor: 'Google Inc.', renderer })),
      hardwareConcurrency: cores,
      deviceMemory: memory,
      screen: isTouch ? phoneScreens : computerScreens,
      fonts: isTouch ? [[]] : computerFonts,
    };
    return pick(random, values[name] ?? [undefined]);
  },
};
