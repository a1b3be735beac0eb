// All cases, as data. Every case is a real setting of the browser, its system or its driver, and never a value replaced
// in the page. Replaced values are cases for the spoofing benchmark, not devices.
/**
 * @typedef {import('../../src/fingerprint/facets.js').FacetName} FacetName
 * @typedef {'reference' | 'upgrade' | 'same' | 'different' | 'ambiguous' | 'lookalike'} Kind
 *   `ambiguous`: differs only in a setting or in software, which can be one device or two. `lookalike`: two devices
 *   with equal readings.
 * @typedef {'chromium' | 'firefox' | 'webkit' | 'system'} Browser `system` is the installed Chromium, driven like the
 *   builds.
 *
 * @typedef {object} Situation
 * @property {import('../../test/browser/harness/types.js').LaunchOptions} [launch] For the installed engines.
 * @property {[string, object][]} [emulate] For builds and `system`: commands of the DevTools protocol.
 * @property {import('./settings.mjs').Device} [device]
 * @property {keyof typeof import('./visits.mjs').visits} [visit] Default: `page`.
 * @property {boolean} [revisit] Whether an earlier browser visited the page with the same profile.
 * @property {readonly FacetName[]} [mayChange] The facets that may differ from the reference, in value or in readability.
 * @property {number} [elapsedDays] Days between the reference and this case. Default: 0.
 * @property {string} [reference] ID of the reference case. Default: the browser's own reference.
 *
 * @typedef {{ name: string, kind: Kind, inShort?: boolean, on: Partial<Record<Browser, Situation>> }} Group
 */

const llvmpipe = { args: ['--use-angle=gl-egl', '--ignore-gpu-blocklist'] };
const desktopGl = { args: ['--use-angle=gl', '--ignore-gpu-blocklist'] };
const radeon = 'AMD Radeon RX 580 (polaris10, LLVM 15.0.7)';
const geforce = 'NVIDIA GeForce RTX 3060/PCIe/SSE2';

/** Renderers as drivers of Linux name them. Each is compared with the GeForce above, by the name alone. */
const renderers = {
  'GeForce RTX 3060 Ti': 'NVIDIA GeForce RTX 3060 Ti/PCIe/SSE2',
  'GeForce RTX 3060 Laptop': 'NVIDIA GeForce RTX 3060 Laptop GPU/PCIe/SSE2',
  'GeForce GTX 1650': 'NVIDIA GeForce GTX 1650/PCIe/SSE2',
  'GeForce RTX 4090': 'NVIDIA GeForce RTX 4090/PCIe/SSE2',
  'Quadro T1000': 'Quadro T1000/PCIe/SSE2',
  'Radeon RX 6700 XT': 'AMD Radeon RX 6700 XT (radeonsi, navi22, LLVM 15.0.6, DRM 3.49, 6.1.0-18-amd64)',
  'Radeon RX 7900 XTX': 'AMD Radeon RX 7900 XTX (radeonsi, navi31, LLVM 17.0.6, DRM 3.57, 6.8.0-31-generic)',
  'Radeon Vega 8': 'AMD Radeon Vega 8 Graphics (radeonsi, raven, LLVM 15.0.7, DRM 3.49, 6.2.0-26-generic)',
  'Radeon 780M': 'AMD Radeon 780M (radeonsi, gfx1103_r1, LLVM 17.0.6, DRM 3.57, 6.8.0-31-generic)',
  'Intel UHD 620': 'Mesa Intel(R) UHD Graphics 620 (KBL GT2)',
  'Intel UHD 630': 'Mesa Intel(R) UHD Graphics 630 (CFL GT2)',
  'Intel Iris Xe': 'Mesa Intel(R) Xe Graphics (TGL GT2)',
  'Intel HD 4000': 'Mesa Intel(R) HD Graphics 4000 (IVB GT2)',
  'Intel Arc A770': 'Mesa Intel(R) Arc(tm) A770 Graphics (DG2)',
  'Apple M1': 'Apple M1 (G13G B0)',
  'Mali-G52': 'Mali-G52 r1 (Panfrost)',
};

/** Platform and user agent of Firefox on other systems. */
const systems = {
  Win32: ['Win32', 'Windows NT 10.0; Win64; x64'],
  '32-bit Windows': ['Win32', 'Windows NT 10.0'],
  MacIntel: ['MacIntel', 'Macintosh; Intel Mac OS X 10.15'],
  'Linux i686': ['Linux i686', 'X11; Linux i686'],
  'Linux armv7l': ['Linux armv7l', 'X11; Linux armv7l'],
  'Android phone': ['Linux armv81', 'Android 14; Mobile'],
  'Android tablet': ['Linux armv81', 'Android 14; Tablet'],
};

/** The screen and pointing devices. Without a window, the browser invents both. @type {Situation} */
const window = { launch: { headful: true }, mayChange: ['input', 'screen'] };

/** @type {Group[]} `inShort`: also part of the short form, which has no peers and no downloads. */
export const groups = [
  // The same device.
  each('new profile', {}),
  each('reload', { visit: 'reloaded' }),
  {
    name: 'revisit',
    kind: 'same',
    on: { chromium: { revisit: true }, firefox: { revisit: true } },
  },
  each('private window', { launch: { privateMode: true } }),
  each('window resized', { visit: 'resized' }),
  each('window maximised', { visit: 'maximised' }),
  both('zoomed to 80%', { launch: { zoom: 0.8 } }),
  both('zoomed to 110%', { launch: { zoom: 1.1 } }),
  both('zoomed to 125%', { launch: { zoom: 1.25 } }),
  both('zoomed to 150%', { launch: { zoom: 1.5 } }),
  both('display scale 1.25', { launch: { scaleFactor: 1.25 } }),
  each('display scale 2', { launch: { scaleFactor: 2 } }),
  each('another monitor', { launch: { screen: { width: 2560, height: 1440 } }, mayChange: ['screen'] }),
  each('rotated monitor', { launch: { screen: { width: 1080, height: 1920 } } }),
  each('dark mode', { launch: { colorScheme: 'dark' }, mayChange: ['preferences'] }),
  {
    name: 'reduced motion',
    kind: 'same',
    on: {
      chromium: { launch: { args: ['--force-prefers-reduced-motion'] }, mayChange: ['preferences'] },
      firefox: { launch: { preferences: { 'ui.prefersReducedMotion': 1 } }, mayChange: ['preferences'] },
    },
  },
  {
    name: 'high contrast, forced colours',
    kind: 'same',
    on: {
      chromium: { launch: { args: ['--force-high-contrast'] }, mayChange: ['preferences'] },
      firefox: { launch: { preferences: { 'browser.display.document_color_use': 2 } }, mayChange: ['preferences'] },
    },
  },
  each('travel', { launch: { environment: { TZ: 'Asia/Kolkata' } }, mayChange: ['timezone'] }),
  {
    name: 'a language added',
    kind: 'same',
    on: { chromium: { launch: languages('en-US,fr') }, firefox: { launch: languages('en-US,fr') } },
  },
  {
    name: 'languages in another order',
    kind: 'same',
    inShort: true,
    on: {
      chromium: { launch: languages('fr,en-US'), mayChange: ['locale'] },
      firefox: { launch: languages('fr,en-US'), mayChange: ['locale'] },
    },
  },
  { name: 'headful', kind: 'same', on: { chromium: window, firefox: window } },
  each('cross-site frame', { visit: 'cross-site frame' }),
  each('sandboxed frame', { visit: 'sandboxed frame' }),
  each('strict CSP', { visit: 'strict CSP' }),
  each('plain http', { visit: 'plain http', mayChange: ['memory', 'memoryFrom8'] }),
  {
    name: 'storage blocked',
    kind: 'same',
    inShort: true,
    on: {
      chromium: { launch: { preferences: { 'profile.default_content_setting_values.cookies': 2 } } },
      firefox: { launch: { preferences: { 'network.cookie.cookieBehavior': 2 } } },
    },
  },
  each('busy processor', { visit: 'under load' }),
  {
    name: 'processor throttled to a sixth',
    kind: 'same',
    on: { system: { emulate: [['Emulation.setCPUThrottlingRate', { rate: 6 }]] } },
  },
  each('twenty at once', { visit: 'twenty at once' }),
  {
    name: 'camera and microphone plugged in',
    kind: 'same',
    on: {
      chromium: { launch: { args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] } },
      firefox: { launch: { preferences: { 'media.navigator.streams.fake': true } } },
    },
  },
  each('one font added', { device: { fonts: 'Open Sans added' }, mayChange: ['fonts'] }),
  {
    name: 'hardware acceleration turned off',
    kind: 'same',
    on: { chromium: { launch: { args: ['--disable-3d-apis'] }, mayChange: ['gpu', 'gl'] } },
  },
  {
    name: 'resistFingerprinting',
    kind: 'same',
    on: {
      firefox: {
        launch: { preferences: { 'privacy.resistFingerprinting': true } },
        mayChange: ['gpu', 'touch', 'gl', 'raster', 'text', 'screen', 'input', 'timezone'],
      },
    },
  },
  {
    name: 'fingerprinting protection',
    kind: 'same',
    on: {
      firefox: {
        launch: { preferences: { 'privacy.fingerprintingProtection': true } },
        mayChange: ['raster', 'text', 'fonts'],
      },
    },
  },
  {
    name: 'strict tracking protection',
    kind: 'same',
    on: {
      firefox: {
        launch: { preferences: { 'browser.contentblocking.category': 'strict' } },
        mayChange: ['raster', 'text', 'fonts'],
      },
    },
  },
  {
    ...each('travel, another monitor and dark mode', {
      launch: { environment: { TZ: 'Asia/Kolkata' }, screen: { width: 2560, height: 1440 }, colorScheme: 'dark' },
      mayChange: ['timezone', 'screen', 'preferences'],
    }),
    inShort: true,
  },

  // Different devices, by hardware or system.
  chromiumDevice('8 cores', { device: { cores: 8 } }),
  chromiumDevice('4 cores', { device: { cores: 4 } }),
  chromiumDevice('4 GB of memory', { device: { memoryGib: 4 } }),
  chromiumDevice('8 cores and 4 GB of memory', { device: { cores: 8, memoryGib: 4 } }),
  chromiumDevice('another GPU: llvmpipe', { launch: llvmpipe }),
  chromiumDevice('another GPU: llvmpipe, OpenGL 4.5', { launch: desktopGl }),
  chromiumDevice('another GPU: Radeon', { launch: llvmpipe, device: { gpu: radeon } }, true),
  chromiumDevice('another GPU: GeForce', { launch: llvmpipe, device: { gpu: geforce } }),
  chromiumDevice('Radeon and 8 cores', { launch: llvmpipe, device: { gpu: radeon, cores: 8 } }),
  chromiumDevice('GeForce, 16 cores, another screen', {
    launch: { ...llvmpipe, screen: { width: 2560, height: 1440 } },
    device: { gpu: geforce, cores: 16 },
  }),
  chromiumDevice('4 cores, 4 GB, Radeon, other fonts, small screen', {
    launch: { ...llvmpipe, screen: { width: 1366, height: 768 } },
    device: { gpu: radeon, cores: 4, memoryGib: 4, fonts: 'Open Sans alone' },
  }),
  {
    name: 'touch screen',
    kind: 'different',
    on: {
      system: touching(10),
      firefox: { launch: { preferences: { 'dom.maxtouchpoints.testing.value': 5 } } },
    },
  },
  { name: 'another system: Windows', kind: 'different', inShort: true, on: { firefox: { launch: system('Win32') } } },
  { name: 'another system: macOS', kind: 'different', on: { firefox: { launch: system('MacIntel') } } },
  { name: 'another word size: i686', kind: 'different', on: { firefox: { launch: system('Linux i686') } } },
  {
    name: 'another GPU: Radeon',
    kind: 'different',
    on: { firefox: { device: { gpu: radeon } } },
  },
  ...[1, 3, 6, 12, 16, 24, 32, 64].map((cores) =>
    chromiumDevice(`${cores} core${cores > 1 ? 's' : ''}`, { device: { cores } }),
  ),
  chromiumDevice('2 GB of memory', { device: { memoryGib: 2 } }),
  // The reference has more than 8 GiB.
  chromiumDevice('8 GB of memory', { device: { memoryGib: 8 } }),
  ...Object.entries(renderers).map(([name, gpu]) =>
    chromiumDevice(`another GPU: ${name}`, {
      launch: llvmpipe,
      device: { gpu },
      reference: 'chromium: another GPU: GeForce',
    }),
  ),
  chromiumDevice('office laptop: UHD 620, 8 cores, small screen, Berlin', {
    launch: { ...llvmpipe, ...abroad('de-DE,de', 'Europe/Berlin'), screen: { width: 1366, height: 768 } },
    device: { gpu: renderers['Intel UHD 620'], cores: 8 },
    reference: 'chromium: another GPU: Intel UHD 620',
  }),
  chromiumDevice('the same laptop with 4 cores', {
    launch: { ...llvmpipe, ...abroad('de-DE,de', 'Europe/Berlin'), screen: { width: 1366, height: 768 } },
    device: { gpu: renderers['Intel UHD 620'], cores: 4 },
    reference: 'chromium: office laptop: UHD 620, 8 cores, small screen, Berlin',
  }),
  chromiumDevice('the same laptop with 4 GB', {
    launch: { ...llvmpipe, ...abroad('de-DE,de', 'Europe/Berlin'), screen: { width: 1366, height: 768 } },
    device: { gpu: renderers['Intel UHD 620'], cores: 8, memoryGib: 4 },
    reference: 'chromium: office laptop: UHD 620, 8 cores, small screen, Berlin',
  }),
  ...[1, 2, 5].map((points) => ({
    name: `touch screen, ${points}`,
    kind: /** @type {const} */ ('different'),
    on: {
      system: touching(points),
      firefox: { launch: { preferences: { 'dom.maxtouchpoints.testing.value': points + 5 } } },
    },
  })),
  // WebKit reports 4 below 8 cores, so no library can see the first of these in WebKit.
  ...[4, 8, 16].map((cores) => ({
    name: `${cores} cores`,
    kind: /** @type {const} */ ('different'),
    on: { firefox: { device: { cores } }, webkit: { device: { cores } } },
  })),
  ...['GeForce RTX 4090', 'Intel UHD 620', 'Intel HD 4000', 'Mali-G52'].map((name) => ({
    name: `another GPU: ${name}`,
    kind: /** @type {const} */ ('different'),
    on: { firefox: { device: { gpu: renderers[/** @type {keyof typeof renderers} */ (name)] } } },
  })),
  .../** @type {const} */ (['32-bit Windows', 'Linux armv7l', 'Android phone', 'Android tablet']).map((name) => ({
    name: `another system: ${name}`,
    kind: /** @type {const} */ ('different'),
    on: { firefox: { launch: system(name) } },
  })),
  {
    name: '8 cores, another screen, Berlin, other fonts',
    kind: 'different',
    on: {
      firefox: {
        launch: { ...abroad('de-DE,de', 'Europe/Berlin'), screen: { width: 2560, height: 1440 } },
        device: { cores: 8, fonts: 'Open Sans alone' },
      },
      webkit: {
        launch: { ...abroad('de-DE,de', 'Europe/Berlin'), screen: { width: 2560, height: 1440 } },
        device: { cores: 8, fonts: 'Open Sans alone' },
      },
    },
  },
  ...['firefox', 'webkit'].map((other) => ({
    name: `another browser: ${other}`,
    kind: /** @type {const} */ ('different'),
    inShort: true,
    on: { [other]: { reference: 'chromium: reference' } },
  })),

  // Ambiguous: one device or two can differ like this.
  ambiguous('another screen alone', { launch: { screen: { width: 1366, height: 768 } } }),
  {
    name: 'wide gamut alone',
    kind: 'ambiguous',
    on: { chromium: { launch: { args: ['--force-color-profile=display-p3-d65'] } } },
  },
  {
    name: 'a driver of OpenGL 3.3 instead of 4.5 alone',
    kind: 'ambiguous',
    on: {
      chromium: {
        launch: { ...desktopGl, environment: { MESA_GL_VERSION_OVERRIDE: '3.3' } },
        reference: 'chromium: another GPU: llvmpipe, OpenGL 4.5',
      },
    },
  },
  ambiguous('other fonts alone', { device: { fonts: 'Open Sans alone' } }),
  ambiguous('other screen, time zone and language', {
    launch: { ...abroad('de-DE,de', 'Europe/Berlin'), screen: { width: 1366, height: 768 } },
  }),

  // Look-alikes: a second launch of the same browser, because no second device is available.
  { name: 'same model, same software', kind: 'lookalike', on: { chromium: {}, firefox: {}, webkit: {} } },
];

/** @param {string} name @param {Situation} situation @returns {Group} */
function each(name, situation) {
  return { name, kind: 'same', on: { chromium: situation, firefox: situation, webkit: situation } };
}

/** @param {string} name @param {Situation} situation @returns {Group} */
function both(name, situation) {
  return { name, kind: 'same', on: { chromium: situation, firefox: situation } };
}

/** @param {string} name @param {Situation} situation @returns {Group} */
function ambiguous(name, situation) {
  return { name, kind: 'ambiguous', on: { chromium: situation, firefox: situation, webkit: situation } };
}

/** @param {string} name @param {Situation} situation @param {boolean} [inShort] */
function chromiumDevice(name, situation, inShort = false) {
  return { name, kind: /** @type {const} */ ('different'), inShort, on: { chromium: situation } };
}

/** @param {string} list */
function languages(list) {
  return { preferences: { 'intl.accept_languages': list, 'intl.selected_languages': list } };
}

/** @param {string} list @param {string} zone */
function abroad(list, zone) {
  const [locale = ''] = list.replace('-', '_').split(',');
  return { ...languages(list), environment: { TZ: zone, LANGUAGE: locale, LANG: `${locale}.UTF-8` } };
}

/** @param {number} maxTouchPoints @returns {Situation} */
function touching(maxTouchPoints) {
  return { emulate: [['Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints }]] };
}

/** Firefox's own preferences, which also apply to its workers. @param {keyof typeof systems} name */
function system(name) {
  const [platform = '', text] = systems[name];
  const userAgent = `Mozilla/5.0 (${text}; rv:140.0) Gecko/20100101 Firefox/140.0`;
  return { preferences: { 'general.platform.override': platform, 'general.useragent.override': userAgent } };
}
