import { attribute } from './attribute.js';

/** The parts of the descriptor of a fingerprint, as letters. parse.ts gives their meaning. */
export interface DescriptorParts {
  readonly kind: 'd' | 'm' | 't';
  readonly os: 'w' | 'm' | 'l' | 'a' | 'i' | 'c' | 'u';
  readonly browser: 'c' | 'f' | 'w';
  readonly version: string;
  /** The word size that the browser reports. */
  readonly bits: 32 | 64;
}

/** What a browser reports about itself, in the page or in a worker. */
export interface Claims {
  readonly userAgent: string;
  readonly platform: string;
}

/** Reads what the browser reports in the current context. */
export function readClaims(): Claims {
  return { userAgent: attribute(navigator, 'userAgent'), platform: attribute(navigator, 'platform') };
}

/**
 * Reads the device kind, operating system, engine family and major version. The family comes from behaviour and the
 * version from the user agent. For the operating system, `navigator.platform` takes precedence, because tools that
 * replace the whole user agent often leave it unchanged. Android and ChromeOS report the same platform as Linux.
 */
export function describe({ userAgent, platform }: Claims = readClaims()): DescriptorParts {
  const named = /^(Win|Mac|iP|Linux)/.test(platform) && !/Android|CrOS/.test(userAgent) ? platform : userAgent;
  const has = (pattern: RegExp) => pattern.test(named);
  // iPadOS identifies itself as a Macintosh, but no Macintosh has a touch screen.
  const iPad = has(/iPad/) || (/Mac/.test(platform) && attribute(navigator, 'maxTouchPoints') > 1);
  const os =
    iPad || has(/iPhone|iPod/)
      ? 'i'
      : has(/Android/)
        ? 'a'
        : has(/CrOS/)
          ? 'c'
          : has(/Win/)
            ? 'w'
            : has(/Mac/)
              ? 'm'
              : has(/Linux|X11/)
                ? 'l'
                : 'u';
  const kind = iPad || (os === 'a' && !has(/Mobile/)) ? 't' : os === 'i' || has(/Mobi/) ? 'm' : 'd';
  const browser = engineFamily();
  const product = { c: /Chrom\w+\/(\d+)/, f: /Firefox\/(\d+)/, w: /Version\/(\d+)/ }[browser];
  const version = product.exec(userAgent)?.[1] ?? '0';
  return { kind, os, browser, version, bits: /64|MacIntel|iPad/.test(platform + userAgent) ? 64 : 32 };
}

/**
 * Returns how the engine words an error. None of the three has changed it in years. It comes from a conversion, because
 * pages replace methods that throw, such as `toFixed` by one that rounds in another way.
 */
export function wording(): string {
  try {
    return String(Number(Symbol()));
  } catch (error) {
    return String(error);
  }
}

/** Returns the engine family, from how the engine words an error. */
export function engineFamily(): DescriptorParts['browser'] {
  return /Symbol v/.test(wording()) ? 'c' : /can't/.test(wording()) ? 'f' : 'w';
}
