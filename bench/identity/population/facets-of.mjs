import { gpuOf } from './device.mjs';

/** The facets that a browser release can change: those that changed in the recorded upgrades of real builds. */
const movedByReleases = ['gl', 'raster', 'text', 'media'];

/**
 * Returns a function that counts the changes of a facet up to a release. Each group of devices with equal drawing is drawn separately from the
 * recorded rate, so that no single accident decides the whole year.
 */
export function epochs(perRelease, seeded) {
  const known = new Map();
  return (facet, group, release) => {
    const key = `${facet} ${group}`;
    let moves = known.get(key);
    if (!moves) {
      const random = seeded([...key].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 7));
      moves = [0];
      for (let at = 1; at < 160; at++) moves.push(moves[at - 1] + (random() < (perRelease[facet] ?? 0) ? 1 : 0));
      known.set(key, moves);
    }
    return moves[Math.min(release, moves.length - 1)];
  };
}

/**
 * Returns the value of each facet on a device, as a text, or undefined if it cannot be read. Platform, cores, memory,
 * graphics processor, touch, fonts, codecs and screen come from the network. The rest is modelled: drawing, sound and
 * maths depend only on system, engine and version, so devices that are equal in these agree. Real devices differ more,
 * so the model is conservative.
 */
export function facetsOf(device, epoch) {
  const { os, engine, kind, brand, version, release, system, arm } = device;
  const gpu = gpuOf(device);
  const maker =
    kind === 'd' ? (/apple|nvidia|geforce|quadro|radeon|amd|intel|iris|uhd/.exec(gpu ?? '')?.[0] ?? '') : gpu;
  const browser = `${os}${engine}`;
  const moved = (facet, group) => epoch(facet, group, releaseNumber(device));
  const screen = device.screens[device.screen];
  const [width, height] = screen ? [screen.width, screen.height].map((side) => physical(side, screen)) : [0, 0];
  return {
    engine,
    platform: `${os}${arm ? 'arm' : 'x86'}`,
    cpu: device.cores ? String(engine === 'c' ? device.cores : device.cores < 8 ? 4 : 8) : undefined,
    memory: device.memory ? String(Math.min(8, Math.max(2, device.memory))) : undefined,
    memoryFrom8:
      device.memory > 8 || (device.memory === 8 && os !== 'a' && version + release > 146)
        ? String(Math.min(32, device.memory))
        : undefined,
    gpu,
    touch: String(device.touch),
    gl: gpu === undefined ? undefined : `${browser} ${maker} ${moved('gl', browser + maker)}`,
    raster: `${browser} ${arm} ${moved('raster', browser)}`,
    text: `${browser} ${system} ${device.drawnFonts} ${moved('text', browser)}`,
    audio: `${browser} ${arm}`,
    fonts: device.fonts,
    metrics: `${browser} ${system} ${arm}`,
    media: engine === 'f' ? undefined : `${browser} ${device.codecs} ${moved('media', browser)}`,
    maths: `${browser} ${arm}`,
    surface: `${engine}${brand === 'Edge' ? 'e' : ''} ${version + release}`,
    screen: screen && `${Math.min(width, height)} ${Math.max(width, height)} ${screen.colorDepth} ${screen.hasHDR}`,
    input: device.pointers,
    locale: device.language,
    timezone: device.zone,
    preferences: device.preferences,
  };
}

export const modelledFacets = [
  'gl',
  'raster',
  'text',
  'audio',
  'metrics',
  'maths',
  'surface',
  'input',
  'locale',
].concat(['timezone', 'preferences']);

/** Returns the approximate number of the browser's releases. A change by a release applies to all later ones. */
function releaseNumber({ engine, version, release }) {
  return (engine === 'w' ? Math.floor(version / 4) : Math.max(0, version - 60)) + release;
}

function physical(side, { devicePixelRatio = 1 }) {
  return Math.round((side * devicePixelRatio) / 10) * 10;
}

/** Returns the unprocessed attributes for FP-Stalker's rules, such as versions and drivers. */
export function rawOf(device, epoch) {
  const { os, engine, brand, version, release } = device;
  const screen = device.screens[device.screen];
  const videoCard = device.videoCards[device.videoCard];
  return {
    constant: `${os} ${engine} ${brand}`,
    version: version * 100 + release,
    canvas: [
      device.system,
      device.drawnFonts,
      ...movedByReleases.slice(1, 3).map((f) => epoch(f, os + engine, releaseNumber(device))),
    ].join(),
    doNotTrack: device.doNotTrack,
    userAgent: `${device.userAgent} ${release}`,
    renderer: videoCard ? `${videoCard.vendor} ${videoCard.renderer}` : '',
    driver: device.driver,
    plugins: device.plugins,
    language: device.language,
    resolution: screen ? `${screen.width}x${screen.height}x${screen.colorDepth}` : '',
    timezone: device.zone,
  };
}
