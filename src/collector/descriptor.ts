import { attribute } from './attribute.js';

/** What the descriptor of a fingerprint is made of, as its letters (parse.ts has their meaning). */
export interface DescriptorParts {
  readonly kind: 'd' | 'm' | 't';
  readonly os: 'w' | 'm' | 'l' | 'a' | 'i' | 'c' | 'u';
  readonly browser: 'c' | 'f' | 'w';
  readonly version: string;
  /** The size of a word, as far as the browser says it. */
  readonly bits: 32 | 64;
}

/** What a browser says of itself, in the page and in a worker. */
export interface Claims {
  readonly userAgent: string;
  readonly platform: string;
}

/** What the browser says here. */
export function readClaims(): Claims {
  return { userAgent: attribute(navigator, 'userAgent'), platform: attribute(navigator, 'platform') };
}

/**
 * Reads kind, system, engine family and major version. The family is read from behaviour, the version from the user
 * agent. For the system the platform counts more: tools that replace the user agent as a whole often leave it. Android
 * and ChromeOS share theirs with Linux.
 */
export function describe({ userAgent, platform }: Claims = readClaims()): DescriptorParts {
  const named = /^(?:Win|Mac|iP|Linux)/.test(platform) && !/Android|CrOS/.test(userAgent) ? platform : userAgent;
  const has = (pattern: RegExp) => pattern.test(named);
  // iPadOS calls itself a Macintosh; no Macintosh has a touch screen.
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

/** Chromium, Firefox or WebKit, by how each prints a native function and by an error that SpiderMonkey alone has. */
function engineFamily(): DescriptorParts['browser'] {
  if (String(Math.abs).length < 34) return 'c';
  return 'InternalError' in globalThis ? 'f' : 'w';
}
