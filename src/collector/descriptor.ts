/** What the descriptor of a fingerprint is made of, as its letters (parse.ts has their meaning). */
export interface DescriptorParts {
  readonly kind: 'd' | 'm' | 't';
  readonly os: 'w' | 'm' | 'l' | 'a' | 'i' | 'c' | 'u';
  readonly browser: 'c' | 'f' | 'w';
  readonly version: string;
}

/**
 * Reads kind, system, engine family and major version. The family is read from behaviour, the rest from the user agent.
 */
export function describe(): DescriptorParts {
  const { userAgent, platform, maxTouchPoints } = navigator;
  const has = (pattern: RegExp) => pattern.test(userAgent);
  // iPadOS calls itself a Macintosh; no Macintosh has a touch screen.
  const iPad = has(/iPad/) || (/Mac/.test(platform) && maxTouchPoints > 1);
  const os =
    iPad || has(/iPhone|iPod/)
      ? 'i'
      : has(/Android/)
        ? 'a'
        : has(/CrOS/)
          ? 'c'
          : has(/Windows/)
            ? 'w'
            : has(/Mac/)
              ? 'm'
              : has(/Linux|X11/)
                ? 'l'
                : 'u';
  const kind = iPad || (os === 'a' && !has(/Mobile/)) ? 't' : os === 'i' || has(/Mobi/) ? 'm' : 'd';
  const browser = engineFamily();
  const product = { c: /Chrom\w+\/(\d+)/, f: /Firefox\/(\d+)/, w: /Version\/(\d+)/ }[browser];
  return { kind, os, browser, version: product.exec(userAgent)?.[1] ?? '0' };
}

/** Chromium, Firefox or WebKit, by how each prints a native function and by an error that SpiderMonkey alone has. */
function engineFamily(): DescriptorParts['browser'] {
  if (String(Math.abs).length < 34) return 'c';
  return 'InternalError' in globalThis ? 'f' : 'w';
}
