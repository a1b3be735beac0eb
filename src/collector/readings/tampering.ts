import { attempt } from '../../attempt.js';
import { attribute, getterOf } from '../attribute.js';
import { describe, readClaims } from '../descriptor.js';
import { pixelRatio } from '../pixel-ratio.js';
import type { ReadingValue } from '../result.js';

const names = [
  'userAgent',
  'platform',
  'hardwareConcurrency',
  'deviceMemory',
  'language',
  'maxTouchPoints',
  'webdriver',
  'width',
  'height',
  'colorDepth',
];

const hostOf = (name: string) => (name in navigator ? navigator : screen);

/**
 * Reads signs of readings that were replaced in the page. Each was seen in spoofing tools and in no clean browser: a
 * proxied function accepts a prototype that inherits from it; a replaced getter returns a value for an object that is
 * not a navigator; a property differs from what its getter returns when called with an argument; media queries
 * contradict the reported resolution; the user agent contradicts the engine's behaviour or the platform; a native
 * function shows its source. A check that throws hides nothing that the others find.
 */
export function tampering(): ReadingValue {
  const getters = names.map((name) => getterOf(hostOf(name), name)).filter((getter) => getter !== undefined);
  const functions: (object | undefined)[] = [
    ...getters,
    HTMLCanvasElement.prototype.toDataURL,
    globalThis.AudioBuffer?.prototype.getChannelData,
    CanvasRenderingContext2D.prototype.getImageData,
    globalThis.WebGLRenderingContext?.prototype.getParameter,
    globalThis.WebGL2RenderingContext?.prototype.getParameter,
  ];
  return [
    () => functions.some(isProxied),
    () => getters.some(answersStrangers),
    () => names.some((name) => Reflect.get(hostOf(name), name) !== attribute(hostOf(name), name)),
    () => pixelRatio() !== devicePixelRatio,
    contradictsEngine,
    contradictsSystem,
    // Session recorders wrap the last three in functions of their own.
    () => functions.slice(0, -3).some(hasSource),
  ].map((check) => attempt(check) === true);
}

/**
 * Returns whether a function is a proxy. Native functions reject a cycle of prototypes (ECMA-262, 10.1.2.1), but that
 * check stops at a proxy.
 */
function isProxied(target: object | undefined): boolean | undefined {
  return attempt(() => {
    const prototype: object | null = Object.getPrototypeOf(target);
    Object.setPrototypeOf(target, Object.create(target ?? null));
    Object.setPrototypeOf(target, prototype);
    return true;
  });
}

/**
 * Returns whether a getter accepts an object of another interface. Native getters throw a TypeError (Web IDL, section
 * 3.7.6).
 */
function answersStrangers(getter: () => unknown): boolean | undefined {
  return attempt(() => {
    getter.call({});
    return true;
  });
}

/** Returns whether a function shows its source. Native functions show none (ECMA-262, 20.2.3.5). */
function hasSource(target: object | undefined): boolean {
  return !/\[native code|^undefined/.test(String(target));
}

/** Returns whether the user agent contradicts the engine family. WebKit browsers need not name a version. */
function contradictsEngine(): boolean {
  const { browser, version } = describe();
  return browser === 'w' ? /Chrom\w+\/|Firefox\//.test(readClaims().userAgent) : version === '0';
}

/** Returns whether the user agent alone gives another operating system. Skips iPads, which may report any system. */
function contradictsSystem(): boolean {
  const { os } = describe();
  const claimed = describe({ ...readClaims(), platform: '' }).os;
  return claimed !== os && claimed !== 'u' && os !== 'i';
}
