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
 * Facts that point to readings replaced in the page, each seen in spoofing tools and in no clean browser: a proxied
 * function lets its prototype become its own heir; a replaced getter answers an object that is no navigator; what the
 * object says is not what its getter says when called with an argument; media queries know the real resolution; the
 * user agent contradicts the engine's behaviour, or the platform; a function has a source.
 */
export function tampering(): ReadingValue {
  const getters = names.map((name) => getterOf(hostOf(name), name)).filter((getter) => getter !== undefined);
  const functions = [
    ...getters,
    HTMLCanvasElement.prototype.toDataURL,
    globalThis.AudioBuffer?.prototype.getChannelData,
    CanvasRenderingContext2D.prototype.getImageData,
    globalThis.WebGLRenderingContext?.prototype.getParameter,
  ];
  return [
    functions.some(isProxied),
    getters.some(answersStrangers),
    names.some((name) => Reflect.get(hostOf(name), name) !== attribute(hostOf(name), name)),
    pixelRatio() !== devicePixelRatio,
    contradictsEngine(),
    contradictsSystem(),
    // Recorders of sessions put functions of their own around the last two.
    functions.slice(0, -2).some(hasSource),
  ];
}

/** Native functions refuse the cycle (ECMA-262, 10.1.2.1); the check for it stops at a proxy. */
function isProxied(target: object | undefined): boolean | undefined {
  return attempt(() => {
    const prototype: object | null = Object.getPrototypeOf(target);
    Object.setPrototypeOf(target, Object.create(target ?? null));
    Object.setPrototypeOf(target, prototype);
    return true;
  });
}

/** Native getters throw a TypeError for an object that is not of their interface (Web IDL, section 3.7.6). */
function answersStrangers(getter: () => unknown): boolean | undefined {
  return attempt(() => {
    getter.call({});
    return true;
  });
}

/** Native functions show none (ECMA-262, 20.2.3.5). */
function hasSource(target: object | undefined): boolean {
  return !/\[native code|^undefined/.test(String(target));
}

/** WebKit's browsers need not name a version. */
function contradictsEngine(): boolean {
  const { browser, version } = describe();
  return browser === 'w' ? /Chrom\w+\/|Firefox\//.test(readClaims().userAgent) : version === '0';
}

/** Whether the user agent alone would have it another system. iPads call themselves what they like. */
function contradictsSystem(): boolean {
  const { os } = describe();
  const claimed = describe({ ...readClaims(), platform: '' }).os;
  return claimed !== os && claimed !== 'u' && os !== 'i';
}
