import { attempt } from '../../attempt.js';
import { attribute, getterOf } from '../attribute.js';
import { runChecks } from '../checks.js';
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

type Callable = (...args: never[]) => unknown;

const hostOf = (name: string) => (name in navigator ? navigator : screen);

/**
 * Reads signs of readings that were replaced in the page. Each was seen in spoofing tools and in no clean browser.
 *
 * A proxied function accepts a prototype that inherits from it; a replaced getter returns a value for an object that is
 * not a navigator; a property differs from what its getter returns when called with an argument; media queries
 * contradict the reported resolution; the user agent contradicts the engine's behaviour or the platform; a native
 * function shows its source. A check that cannot run is evidence too, because every engine allows all of them.
 */
export function tampering(): ReadingValue {
  const functions = attempt((): (Callable | undefined)[] => [
    ...names.map((name) => getterOf(hostOf(name), name)),
    getterOf(new MouseEvent(''), 'screenX'),
    HTMLCanvasElement.prototype.toDataURL,
    globalThis.AudioBuffer?.prototype.getChannelData,
    CanvasRenderingContext2D.prototype.getImageData,
    globalThis.WebGLRenderingContext?.prototype.getParameter,
    globalThis.WebGL2RenderingContext?.prototype.getParameter,
  ]);
  // Session recorders wrap the last three in functions of their own.
  const unwrapped = functions?.slice(0, -3);
  return runChecks([
    () => functions?.some(isProxied),
    () => unwrapped?.some(acceptsWrongReceiver),
    () => names.some((name) => Reflect.get(hostOf(name), name) !== attribute(hostOf(name), name)),
    () => pixelRatio() !== devicePixelRatio,
    contradictsEngine,
    contradictsSystem,
    () => unwrapped?.some(hasSource),
  ]);
}

/**
 * Returns whether a function is a proxy. Native functions reject a cycle of prototypes (ECMA-262, 10.1.2.1), but that
 * check stops at a proxy.
 */
function isProxied(target: Callable | undefined): boolean | undefined {
  if (!target) return;
  const prototype = Reflect.getPrototypeOf(target);
  return Reflect.setPrototypeOf(target, Object.create(target)) && Reflect.setPrototypeOf(target, prototype);
}

/**
 * Returns whether a function accepts an object of another interface. Native getters and methods throw a TypeError (Web
 * IDL, sections 3.7.6 and 3.7.7).
 */
function acceptsWrongReceiver(target: Callable | undefined): boolean | undefined {
  return attempt(() => {
    target?.call({});
    return !!target;
  });
}

/** Returns whether a function shows its source. Native functions show none (ECMA-262, 20.2.3.5). */
function hasSource(target: Callable | undefined): boolean {
  return !/\[native code|^undefined/.test(String(target));
}

/**
 * Returns whether the user agent names another engine. Apps that embed a browser may name none. WebKit browsers need not
 * name a version, and Chromium names Safari too.
 */
function contradictsEngine(): boolean {
  const { browser, version } = describe();
  const { userAgent } = readClaims();
  if (browser === 'w') return /Chrom\w+\/|Firefox\//.test(userAgent);
  return version === '0' && /Firefox|Safari/.test(userAgent);
}

/** Returns whether the user agent alone gives another operating system. Skips iPads, which may report any system. */
function contradictsSystem(): boolean {
  const { os } = describe();
  const claimed = describe({ ...readClaims(), platform: '' }).os;
  return claimed !== os && claimed !== 'u' && os !== 'i';
}
