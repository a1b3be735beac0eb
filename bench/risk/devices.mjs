import { chooser } from '../identity/population/random.mjs';
import { late, published, releases } from '../identity/population/rates.mjs';
import { given } from './sources.mjs';
import { zipf } from './world.mjs';

/** Systems and browsers by kind of device, in per cent. Estimates. */
const families = {
  phone: chooser([
    ['ios safari', 40],
    ['android chrome', 54],
    ['android firefox', 2],
    ['android samsung', 4],
  ]),
  tablet: chooser([
    ['ios safari', 60],
    ['android chrome', 40],
  ]),
  computer: chooser([
    ['windows chrome', 45],
    ['windows edge', 20],
    ['windows firefox', 8],
    ['mac safari', 13],
    ['mac chrome', 10],
    ['linux firefox', 2],
    ['linux chrome', 2],
  ]),
};
const engines = { safari: 'w', firefox: 'f' };
const firstVersions = { chrome: 120, edge: 120, samsung: 23, firefox: 121, safari: 170 };
const hardware = {
  ios: zipf(given.hardwareIos),
  android: zipf(given.hardwareAndroid, 0.9),
  computer: zipf(given.hardwareComputer),
};
/** Settings and drawing of browsers that are not unique: classes within one hardware group. */
const settings = { phone: zipf(60), tablet: zipf(60), computer: zipf(300) };

/** Draws a device as it is on its first day. `family` fixes the system and the browser. */
export function drawDevice(random, { kind, from = 0, family = families[kind](random) }) {
  const [os, browser] = family.split(' ');
  const engine = engines[browser] ?? 'c';
  const isComputer = kind === 'computer';
  const unique = random() < (isComputer ? given.uniqueComputer : given.uniquePhone);
  const rate = ({ share, perDay, everywhere }) => ((everywhere || isComputer) && random() < share ? perDay : 0);
  return {
    kind,
    os,
    browser,
    family,
    hardware: `${os}${(hardware[os] ?? hardware.computer)(random)}`,
    settings: unique ? `u${Math.floor(random() * 1e12)}` : `s${settings[kind](random)}`,
    cadence: releases[engine],
    lagDays: random() < late.share ? late.lagDays : releases[engine].lagDays,
    release: Math.max(0, Math.floor(from / releases[engine].everyDays)),
    drift: 0,
    screen: 0,
    rates: { drawn: rate(published.canvas), fonts: rate(published.fonts), screen: rate(published.resolution) },
    day: from,
  };
}

/** Advances a device to a day: updates and small changes. */
export function advanceDevice(device, day, random) {
  const days = Math.max(0, day - device.day);
  device.day = day;
  const happens = (perDay) => perDay > 0 && random() < 1 - Math.exp(-perDay * days);
  const out = Math.floor(day / device.cadence.everyDays);
  if (out > device.release && happens(1 / device.lagDays)) device.release = out;
  if (happens(device.rates.drawn) || happens(device.rates.fonts)) device.drift++;
  if (happens(device.rates.screen)) device.screen = 1 - device.screen;
}

/**
 * Returns what a login shows of a device: the fingerprint on four levels, and the user agent as current browsers send
 * it, with the major version only.
 */
export function show(device, zone) {
  const version = firstVersions[device.browser] + device.release;
  const descriptor = `${device.os} ${device.browser}`;
  return {
    fingerprint: `${descriptor} ${version} ${device.hardware} ${device.settings} ${device.drift} ${device.screen} ${zone}`,
    recognisable: `${descriptor} ${device.hardware} ${device.settings}`,
    hardware: `${descriptor} ${device.hardware}`,
    descriptor,
    version,
    userAgent: `${descriptor} ${version}`,
    browserVersion: `${device.browser} ${version}`,
    os: device.os,
    kind: device.kind,
  };
}

/** Returns a device that shows the same browser, version and system, but is another one. */
export function lookAlike(random, device, release) {
  return { ...drawDevice(random, { kind: device.kind, family: device.family }), release };
}
