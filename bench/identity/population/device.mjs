import { judged, late, published, releases } from './rates.mjs';
import { importSource } from './source.mjs';
import { country, preferences } from './world.mjs';

const { normaliseGpu } = await importSource('src/collector/normalise-gpu.ts');

/** Reads the constant properties of a browser from its user agent, as the package does for its descriptor. */
export function readUserAgent(userAgent, touchPoints) {
  const has = (pattern) => pattern.test(userAgent);
  const os =
    has(/iPhone|iPad/) || (has(/Mac/) && touchPoints > 1)
      ? 'i'
      : has(/Android/)
        ? 'a'
        : has(/CrOS/)
          ? 'c'
          : has(/Windows/)
            ? 'w'
            : has(/Mac/)
              ? 'm'
              : 'l';
  const engine = has(/Firefox\//) ? 'f' : os === 'i' || !has(/Chrom/) ? 'w' : 'c';
  const kind = os === 'i' || has(/Mobi/) ? 'm' : os === 'a' ? 't' : 'd';
  const brand = has(/Edg/) ? 'Edge' : has(/OPR/) ? 'Opera' : has(/CriOS/) ? 'Chrome' : engine;
  const [, major = '0', minor = '0'] = /(?:Chrome|Firefox|Version|CriOS)\/(\d+)\.?(\d*)/.exec(userAgent) ?? [];
  return { os, engine, kind, brand, version: engine === 'w' ? Number(major) * 10 + Number(minor || 0) : Number(major) };
}

/** Draws one device of the population, as it is on its first day. `options` may fix the user agent and the country. */
export function drawDevice(network, random, options = {}) {
  const userAgent = options.userAgent ?? network.userAgent(random);
  const draw = (name) => network.attribute(name, userAgent, random);
  const touch = Number(draw('maxTouchPoints') ?? 0);
  const base = readUserAgent(userAgent, touch);
  const home = options.country ?? country(random);
  const videoCard = draw('videoCard');
  const system = String(draw('userAgentData')?.platformVersion ?? '').split('.')[0] || String(base.version >> 3);
  const isDesktop = base.kind === 'd';
  const rateOf = (name) =>
    (published[name].everywhere || isDesktop) && random() < published[name].share ? published[name].perDay : 0;
  const rates = Object.fromEntries(Object.keys(published).map((name) => [name, rateOf(name)]));
  const switches = rates.renderer > 0 && random() < judged.switchGpu;
  const cadence = releases[base.engine];
  const zone = home.zone(random);
  return {
    ...base,
    network,
    userAgent,
    cadence,
    lagDays: random() < late.share ? late.lagDays : cadence.lagDays,
    release: 0,
    system,
    touch,
    cores: Number(draw('hardwareConcurrency') ?? 0),
    memory: Number(draw('deviceMemory') ?? 0),
    videoCards: [videoCard, switches ? draw('videoCard') : videoCard],
    videoCard: 0,
    driver: 0,
    switches,
    arm: /apple m\d|apple gpu|adreno|mali|metal renderer: apple/i.test(videoCard?.renderer ?? '') || base.os === 'i',
    screens: [draw('screen'), isDesktop ? draw('screen') : undefined],
    screen: 0,
    fonts: (draw('fonts') ?? []).join(),
    codecs: JSON.stringify([draw('audioCodecs'), draw('videoCodecs')]),
    plugins: (draw('pluginsData')?.plugins ?? []).map(({ name }) => name).join(),
    doNotTrack: draw('doNotTrack') ?? '',
    language: home.language(random),
    home: zone,
    zone,
    preferences: preferences(random),
    darkAtNight: random() < judged.darkAtNight,
    pointers: base.kind === 'd' ? (touch ? 'fine,coarse' : 'fine') : 'coarse',
    drawnFonts: 0,
    rates,
    day: 0,
  };
}

/** Returns the model of the graphics processor, as the package reports it. */
export function gpuOf(device) {
  const renderer = device.videoCards[device.videoCard]?.renderer;
  return renderer === undefined ? undefined : normaliseGpu(renderer);
}

/** Advances a device to a later day. Returns whether anything readable has changed. */
export function advance(device, day, random) {
  const days = day - device.day;
  device.day = day;
  const happens = (perDay) => perDay > 0 && random() < 1 - Math.exp(-perDay * days);
  const { rates, network, userAgent } = device;
  let changed = false;
  const when = (condition, change) => {
    if (!condition) return;
    change();
    changed = true;
  };
  const out = Math.floor(day / device.cadence.everyDays);
  when(out > device.release && happens(1 / device.lagDays), () => {
    device.release = out;
  });
  when(happens(rates.canvas), () => {
    device.drawnFonts = 1 + Math.floor(random() * 400);
  });
  when(happens(device.zone === device.home ? rates.timezone : 1 / judged.daysAway), () => {
    device.zone = device.zone === device.home ? country(random).zone(random) : device.home;
  });
  when(happens(rates.languages), () => {
    device.language = country(random).language(random);
  });
  when(happens(rates.fonts), () => {
    device.fonts = (network.attribute('fonts', userAgent, random) ?? []).join();
  });
  when(happens(rates.resolution), () => {
    device.screen = 1 - device.screen;
  });
  when(happens(rates.renderer), () => {
    if (device.switches) device.videoCard = 1 - device.videoCard;
    else device.driver++;
  });
  when(device.kind === 'd' && happens(judged.replacedGpuPerDay), () => {
    const videoCard = network.attribute('videoCard', userAgent, random);
    device.videoCards = [videoCard, videoCard];
  });
  when(device.kind === 'd' && device.memory > 0 && happens(judged.addedMemoryPerDay), () => {
    device.memory *= 2;
  });
  when(happens(judged.preferencesPerDay), () => {
    device.preferences = preferences(random);
  });
  when(device.darkAtNight, () => {
    device.preferences = device.preferences.replace(/^\w+/, random() < 0.35 ? 'dark' : 'light');
  });
  when(device.kind === 'd' && happens(judged.inputPerDay), () => {
    device.pointers = device.pointers === 'fine' ? 'fine,coarse' : 'fine';
  });
  when(happens(judged.systemUpdatePerDay), () => {
    device.system = `${Number(device.system) + 1}`;
  });
  return changed;
}
