import { given } from './sources.mjs';
import { drawCity, fixedLine, hosting, mobile, relay, sharedLine, vpn } from './world.mjs';

/**
 * Attackers who know the password, and one who has a session. The first three are those of Wiefling, Dürmuth and Lo Iacono
 * (FC 2021). Each gets the login that is imitated and the providers that the victim used, and has a place, a device and a time.
 */
export const attackers = {
  naive: {
    title: 'naive: anywhere, any browser',
    draw(random, { world }) {
      const place = anywhere(random, world);
      return { place, shown: anyDevice(random, world, place) };
    },
  },
  vpn: {
    title: 'VPN: the victim’s country, any browser',
    draw: (random, { world, login }) => ({
      place: inCountry(random, world, login),
      shown: compatriot(random, world, login),
    }),
  },
  targeted: {
    title: 'targeted: the victim’s city and provider, same browser and version',
    draw: (random, { world, login }) => ({
      place: near(random, world, login),
      shown: sameBrowser(random, world, login),
    }),
  },
  otherBrowser: {
    title: 'the victim’s city and provider, any browser',
    draw: (random, { world, login }) => ({
      place: near(random, world, login),
      shown: compatriot(random, world, login),
    }),
  },
  copied: {
    title: 'a copied fingerprint, half of them in the victim’s country, half anywhere',
    draw: (random, { world, login }) => ({
      place: random() < 1 - given.copiesInCountry ? anywhere(random, world) : inCountry(random, world, login),
      shown: login.shown,
    }),
  },
  copiedElsewhere: {
    title: 'a copied fingerprint, a provider in the victim’s country that the victim never used',
    draw: (random, { world, login, used }) => ({
      place: elsewhere(random, world, { login, used }),
      shown: login.shown,
    }),
  },
  copiedChanged: {
    title: 'a copied fingerprint with another time zone, the victim’s city and provider',
    draw: (random, { world, login }) => ({
      place: near(random, world, login),
      shown: world.devices.withOtherZone(random, login.shown),
    }),
  },
  lookAlike: {
    title: 'the victim’s city and provider, the same model of device',
    draw: (random, { world, login }) => ({
      place: near(random, world, login),
      shown: sameBrowser(random, world, login, true),
    }),
  },
  neighbour: {
    title: 'the victim’s own address, a device of their own',
    draw: (random, { world, login }) => ({ place: login.place, shown: compatriot(random, world, login) }),
  },
  neighbourSameBrowser: {
    title: 'the victim’s own address, another device with the same browser',
    draw: (random, { world, login }) => ({ place: login.place, shown: sameBrowser(random, world, login) }),
  },
  copiedNear: {
    title: 'a copied fingerprint, the victim’s city and provider',
    draw: (random, { world, login }) => ({ place: near(random, world, login), shown: login.shown }),
  },
  session: {
    title:
      'a stolen session with all that the browser kept, half of them at the victim’s provider, half at another one',
    draw: (random, { world, login, used }) => ({
      place: random() < given.sessionNear ? near(random, world, login) : elsewhere(random, world, { login, used }),
      shown: login.shown,
    }),
  },
};

/** Whoever copies a fingerprint also copies what the browser saved, but for the key, which cannot be read. */
const copiesStorage = (name) => name === 'session' || name.startsWith('copied');

/** Returns an attempt with the right password at the time of the login that it imitates. */
export function attack(name, random, { world, login, used = new Set() }) {
  return {
    ...login,
    ...attackers[name].draw(random, { world, login, used }),
    hour: random() * 24,
    kept: { last: copiesStorage(name) ? login.kept.last : undefined },
    proofDraw: 1,
    // A session needs no password.
    failures: name === 'session' ? 0 : failuresBefore(random),
    truth: { ...login.truth, who: name },
  };
}

/** Whoever has a stolen password may try several, or mistype it, as honest people do. */
function failuresBefore(random) {
  let count = 0;
  while (count < 5 && random() < (count === 0 ? given.attackFailures : given.failedAgain)) count++;
  return count;
}

function anywhere(random, world) {
  const country = world.country(random);
  const drawn = random();
  if (drawn < given.attackFromServer) return hosting(random, { country });
  if (drawn < given.attackFromServer + given.attackFromPhone)
    return mobile(random, { country, city: drawCity(random), carrier: country.carrier(random) });
  return fixedLine(random, { country, city: drawCity(random), isp: country.isp(random) });
}

function inCountry(random, world, { truth: { person } }) {
  const { country } = person;
  const drawn = random();
  if (drawn < given.attackByRelay) return relay(random, { country, world });
  if (drawn < given.attackByRelay + given.attackByVpn)
    return vpn(random, { country, service: world.services[Math.floor(random() * world.services.length)] });
  return fixedLine(random, { country, city: drawCity(random), isp: country.isp(random) });
}

/** Returns a place in the victim's country at a provider that the victim never used. */
function elsewhere(random, world, { login, used }) {
  for (let round = 0; round < 50; round++) {
    const found = inCountry(random, world, login);
    if (!used.has(found.asn)) return found;
  }
  return hosting(random, { country: login.truth.person.country });
}

/** Returns another address at the provider and in the city of the login that is imitated. */
function near(random, world, { place, truth: { home } }) {
  const country = world.countries.find(({ code }) => code === place.country);
  const city = country.cities.findIndex(({ name }) => name === place.city);
  const isp = country.isps.find(({ asn }) => asn === place.asn);
  if (isp && home.kind === 'shared' && isp === home.isp) return sharedLine(random, { country, city, isp });
  if (isp) return fixedLine(random, { country, city, isp });
  const carrier = country.carriers.find(({ asn }) => asn === place.asn);
  if (carrier) return mobile(random, { country, city, carrier });
  const service = world.services.find(({ asn }) => asn === place.asn);
  if (service) return vpn(random, { country, service });
  return relay(random, { country, world });
}

function compatriot(random, world, { day, truth: { person } }) {
  return anyDevice(random, world, { country: person.country.code, from: day });
}

/** Returns what a device of anybody in a country shows. */
function anyDevice(random, world, { country, from = 180 }) {
  const kind = random() < given.attackerPhones ? 'phone' : 'computer';
  return world.devices.show(world.devices.drawDevice(random, { kind, country, from }));
}

/** Returns what another device in the victim's country with the same browser shows. `isSameModel`: also the same hardware. */
function sameBrowser(random, world, { truth: { person, device, release } }, isSameModel = false) {
  const country = person.country.code;
  return world.devices.show(world.devices.drawLookAlike(random, device, { country, release, isSameModel }));
}
