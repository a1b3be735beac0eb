import { describe, expect, test } from 'vitest';
import { detect, facts, fingerprint } from './facts.js';

const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const iphone = '(iPhone; CPU iPhone OS 18_6 like Mac OS X)';
const mac = '(Macintosh; Intel Mac OS X 10_15_7)';
const windows = '(Windows NT 10.0; Win64; x64)';
const android = '(Linux; Android 10; K)';

/** User agents without `Mozilla/5.0`, with the descriptor that the package creates for them. */
const clean: readonly [name: string, descriptor: string, userAgent: string][] = [
  ['Chrome on Windows', 'dwc141', `${windows} ${blink} Chrome/141.0.0.0 Safari/537.36`],
  ['Chrome on macOS', 'dmc141', `${mac} ${blink} Chrome/141.0.0.0 Safari/537.36`],
  ['Chrome on Linux', 'dlc141', `(X11; Linux x86_64) ${blink} Chrome/141.0.0.0 Safari/537.36`],
  ['Chrome on ChromeOS', 'dcc141', `(X11; CrOS x86_64 14541.0.0) ${blink} Chrome/141.0.0.0 Safari/537.36`],
  ['Chrome on Android', 'mac141', `${android} ${blink} Chrome/141.0.0.0 Mobile Safari/537.36`],
  ['Chrome on an Android tablet', 'tac141', `${android} ${blink} Chrome/141.0.0.0 Safari/537.36`],
  ['Chrome on iOS', 'miw0', `${iphone} ${webkit} CriOS/141.0.7390.26 Mobile/15E148 Safari/604.1`],
  ['Chrome on iPadOS', 'tiw11', `${mac} ${webkit} CriOS/141 Version/11.1.1 Safari/605.1.15`],
  [
    'a web view of Android',
    'mac141',
    `(Linux; Android 14; Pixel 8; wv) ${blink} Version/4.0 Chrome/141.0.7390.43 Mobile Safari/537.36`,
  ],
  ['headless Chrome', 'dlc141', `(X11; Linux x86_64) ${blink} HeadlessChrome/141.0.0.0 Safari/537.36`],
  ['Brave', 'dmc141', `${mac} ${blink} Chrome/141.0.0.0 Safari/537.36`],
  ['Edge', 'dwc140', `${windows} ${blink} Chrome/140.0.0.0 Safari/537.36 Edg/141.0.3537.57`],
  ['Edge on Android', 'mac140', `${android} ${blink} Chrome/140.0.0.0 Mobile Safari/537.36 EdgA/141.0.0.0`],
  ['Edge on iOS', 'miw18', `${iphone} ${webkit} Version/18.0 EdgiOS/140.0.3485.94 Mobile/15E148 Safari/604.1`],
  [
    'Edge on Xbox',
    'dwc140',
    `(Windows NT 10.0; Win64; x64; Xbox; Xbox One) ${blink} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
  ],
  ['Edge of old', 'dwc64', `${windows} ${blink} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`],
  ['Opera', 'dwc139', `${windows} ${blink} Chrome/139.0.0.0 Safari/537.36 OPR/123.0.0.0`],
  ['Opera on Android', 'mac137', `${android} ${blink} Chrome/137.0.0.0 Mobile Safari/537.36 OPR/92.0.0.0`],
  ['Opera on iOS', 'miw18', `${iphone} ${webkit} Version/18.6 Mobile/15E148 Safari/604.1 OPT/5.7.0`],
  ['Samsung Internet', 'mac130', `${android} ${blink} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
  ['Vivaldi', 'dlc140', `(X11; Linux x86_64) ${blink} Chrome/140.0.0.0 Safari/537.36 Vivaldi/7.6.3797.55`],
  ['Yandex', 'dwc138', `${windows} ${blink} Chrome/138.0.0.0 YaBrowser/25.8.0.0 Safari/537.36`],
  ['Silk', 'tac120', `(Linux; Android 9; KFTRWI) ${blink} Silk/120.3.10 like Chrome/120.0.6099.230 Safari/537.36`],
  ['HarmonyOS', 'muc114', `(Phone; OpenHarmony 5.0) ${blink} Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile`],
  ['Safari on macOS', 'dmw26', `${mac} ${webkit} Version/26.0 Safari/605.1.15`],
  ['Safari on iOS', 'miw18', `${iphone} ${webkit} Version/18.6 Mobile/15E148 Safari/604.1`],
  ['Safari on iPadOS, which says Macintosh', 'tiw18', `${mac} ${webkit} Version/18.6 Safari/605.1.15`],
  ['a web view of iOS', 'miw0', `${iphone} ${webkit} Mobile/15E148 [FBAN/FBIOS;FBAV/480.0.0.30.107]`],
  ['DuckDuckGo on macOS', 'dmw18', `${mac} ${webkit} Version/18.6 Safari/605.1.15 Ddg/18.6`],
  ['GNOME Web', 'dlw18', `(X11; Linux x86_64) ${webkit} Version/18.0 Safari/605.1.15`],
  ['Firefox on Windows', 'dwf143', '(Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0'],
  ['Firefox when its rv stood still', 'dwf115', '(Windows NT 10.0; Win64; x64; rv:109.0) Gecko/20100101 Firefox/115.0'],
  ['Firefox on macOS', 'dmf143', '(Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0'],
  ['Firefox on Linux', 'dlf143', '(X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'],
  ['Firefox on FreeBSD', 'dlf143', '(X11; FreeBSD amd64; rv:143.0) Gecko/20100101 Firefox/143.0'],
  ['Firefox on Android', 'maf143', '(Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0'],
  ['Firefox on iOS', 'miw0', `${iphone} ${webkit} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`],
  ['Firefox on iPadOS', 'tiw0', `${mac} ${webkit} FxiOS/143.0 Safari/605.1.15`],
  ['Tor Browser on Linux, which says Windows', 'dlf140', '(Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['LibreWolf on macOS, which says Windows', 'dmf143', '(Windows NT 10.0; rv:143.0) Gecko/20100101 Firefox/143.0'],
];

/** Returns the contradictions between a `User-Agent` and the descriptor. */
function contradicted(descriptor: string, userAgent: string): unknown {
  const given = facts({ request: { ...fingerprint(descriptor), userAgent } });
  return detect('tampering', given)?.evidence.user_agent;
}

test.each(clean)('%s contradicts nothing', (_name, descriptor, userAgent) => {
  expect(contradicted(descriptor, `Mozilla/5.0 ${userAgent}`)).toBeUndefined();
});

test.each<[string, string, string, string[]]>([
  ['Chrome, run by Firefox', 'dwf143', `${windows} ${blink} Chrome/143.0.0.0 Safari/537.36`, ['family']],
  ['Firefox, run by Chromium', 'dlc143', '(X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', ['family']],
  ['Safari, run by Chromium', 'dmc141', `${mac} ${webkit} Version/18.6 Safari/605.1.15`, ['family']],
  [
    'Chrome on iOS, run by Chromium',
    'mic141',
    `${iphone} ${webkit} CriOS/141.0 Mobile/15E148 Safari/604.1`,
    ['family'],
  ],
  [
    'Edge on iOS, run on Android',
    'mac140',
    `${iphone} ${webkit} Version/18.0 EdgiOS/140.0 Mobile/15E148 Safari/604.1`,
    ['family', 'system'],
  ],
  ['Internet Explorer', 'dwc141', '(Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko', ['family']],
  ['Chrome on Windows, run on Linux', 'dlc141', `${windows} ${blink} Chrome/141.0.0.0 Safari/537.36`, ['system']],
  [
    'Chrome on Android, run on Linux',
    'dlc141',
    `${android} ${blink} Chrome/141.0.0.0 Mobile Safari/537.36`,
    ['system'],
  ],
  ['Chrome on macOS, run on Windows', 'dwc141', `${mac} ${blink} Chrome/141.0.0.0 Safari/537.36`, ['system']],
  ['Safari on iOS, run on macOS', 'dmw18', `${iphone} ${webkit} Version/18.6 Mobile/15E148 Safari/604.1`, ['system']],
  [
    'Firefox on Linux, run on Windows',
    'dwf143',
    '(X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    ['system'],
  ],
  ['a Chrome of another version', 'dlc141', `(X11; Linux x86_64) ${blink} Chrome/120.0.0.0 Safari/537.36`, ['version']],
  [
    'an Opera of another Chromium',
    'dwc123',
    `${windows} ${blink} Chrome/139.0.0.0 Safari/537.36 OPR/123.0.0.0`,
    ['version'],
  ],
  [
    'a Firefox of another version',
    'dwf109',
    '(Windows NT 10.0; Win64; x64; rv:109.0) Gecko/20100101 Firefox/115.0',
    ['version'],
  ],
  ['a Safari of another version', 'dmw26', `${mac} ${webkit} Version/18.6 Safari/605.1.15`, ['version']],
  [
    'Chrome on Windows of another version, run on Linux',
    'dlc141',
    `${windows} ${blink} Chrome/120.0.0.0 Safari/537.36`,
    ['system', 'version'],
  ],
  [
    'Firefox on Windows, run on Android',
    'maf143',
    '(Windows NT 10.0; rv:143.0) Gecko/20100101 Firefox/143.0',
    ['system'],
  ],
  [
    'a web view of Android, run by WebKit',
    'maw18',
    `${android} ${blink} Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36`,
    ['family'],
  ],
])('detects %s', (_name, descriptor, userAgent, expected) => {
  expect(contradicted(descriptor, `Mozilla/5.0 ${userAgent}`)).toEqual(expected);
});

describe('unknown values contradict nothing', () => {
  const chrome = `Mozilla/5.0 ${windows} ${blink} Chrome/141.0.0.0 Safari/537.36`;

  test.each(['', 'curl/8.5.0', 'okhttp/4.12.0', 'Mozilla/5.0', '(', 'undefined'])(
    'a User-Agent of "%s"',
    (userAgent) => {
      expect(contradicted('dlc141', userAgent)).toBeUndefined();
    },
  );

  test('an empty descriptor', () => {
    expect(contradicted('zzz0', chrome)).toBeUndefined();
  });

  test('a descriptor without a version', () => {
    expect(contradicted('dwc0', chrome)).toBeUndefined();
  });

  test('an opaque fingerprint', () => {
    const request = { fingerprint: 'opaque', parsed: undefined, userAgent: chrome };
    expect(detect('tampering', facts({ request }))).toBeUndefined();
  });

  test('a request without a User-Agent', () => {
    expect(detect('tampering', facts())).toBeUndefined();
  });
});
