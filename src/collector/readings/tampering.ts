import { describe } from '../descriptor.js';
import { matches } from '../matches.js';
import type { ReadingValue } from '../result.js';

const navigatorProperties = [
  'userAgent',
  'platform',
  'hardwareConcurrency',
  'deviceMemory',
  'language',
  'languages',
  'maxTouchPoints',
  'webdriver',
];
const screenProperties = ['width', 'height', 'colorDepth'];

type Callable = (...args: unknown[]) => unknown;

/**
 * Facts that point to readings replaced in the page, each seen in spoofing tools and in no clean browser: a proxied
 * function lets its prototype become its own heir; a replaced getter answers an object that is no navigator; a replaced
 * value sits on the object instead of its prototype; media queries know the real resolution; the user agent
 * contradicts the engine's behaviour, or the platform.
 */
export function tampering(): ReadingValue {
  const getters = [
    ...navigatorProperties.map((name) => getterOf(Navigator.prototype, name)),
    ...screenProperties.map((name) => getterOf(Screen.prototype, name)),
  ].filter((getter) => getter !== undefined);
  const functions = [
    ...getters,
    HTMLCanvasElement.prototype.toDataURL,
    CanvasRenderingContext2D.prototype.getImageData,
    globalThis.WebGLRenderingContext?.prototype.getParameter,
  ].filter((value) => value !== undefined);
  return [
    functions.some(isProxied),
    getters.some(answersStrangers),
    navigatorProperties.some((name) => Object.getOwnPropertyDescriptor(navigator, name)),
    contradictsResolution(),
    contradictsEngine(),
    contradictsSystem(),
  ];
}

function getterOf(prototype: object, name: string): (() => unknown) | undefined {
  return Object.getOwnPropertyDescriptor(prototype, name)?.get;
}

/** Native functions refuse the cycle (ECMA-262, 10.1.2.1); the check for it stops at a proxy. */
function isProxied(target: Callable | object): boolean {
  const prototype: unknown = Object.getPrototypeOf(target);
  try {
    Object.setPrototypeOf(target, Object.create(target));
    Object.setPrototypeOf(target, prototype as object);
    return true;
  } catch {
    return false;
  }
}

/** Native getters throw a TypeError for an object that is not of their interface (Web IDL, section 3.7.6). */
function answersStrangers(getter: () => unknown): boolean {
  try {
    getter.call({});
    return true;
  } catch {
    return false;
  }
}

function contradictsResolution(): boolean {
  const ratio = devicePixelRatio;
  // Safari before 16 knows no such feature, and would contradict every ratio.
  if (!matches('min-resolution:0.001dppx')) return false;
  return !matches(`min-resolution:${ratio * 0.99}dppx`) || !matches(`max-resolution:${ratio * 1.01}dppx`);
}

function contradictsEngine(): boolean {
  const claimed = /Firefox\/|Gecko\/2/.test(navigator.userAgent)
    ? 'f'
    : /Chrom\w+\//.test(navigator.userAgent)
      ? 'c'
      : 'w';
  return claimed !== describe().browser;
}

function contradictsSystem(): boolean {
  const { platform, userAgent } = navigator;
  const claims = [
    [/^Win/, /Windows/],
    [/^Mac/, /Mac/],
    [/^iP/, /like Mac OS X/],
    [/^Linux/, /Linux|Android|X11|CrOS/],
  ] as const;
  return claims.some(([ofPlatform, ofUserAgent]) => ofPlatform.test(platform) && !ofUserAgent.test(userAgent));
}
