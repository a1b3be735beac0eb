import { drawDevice, lookAlike, show } from './devices.mjs';
import { given } from './sources.mjs';
import { drawCity, fixedLine, hosting, mobile, relay, sharedLine, vpn } from './world.mjs';

/**
 * Attackers who know the password. The first three are those of Wiefling, Dürmuth and Lo Iacono (FC 2021). Each gets
 * the login that is imitated, and has a place, a device and a time.
 */
export const attackers = {
  naive: {
    title: 'naive: anywhere, any browser',
    draw: (random, { world }) => ({ place: anywhere(random, world), shown: anyDevice(random) }),
  },
  vpn: {
    title: 'VPN: the victim’s country, any browser',
    draw: (random, { world, login }) => ({ place: inCountry(random, world, login), shown: anyDevice(random, login) }),
  },
  targeted: {
    title: 'targeted: the victim’s city and provider, same browser and version',
    draw: (random, { world, login }) => ({ place: near(random, world, login), shown: sameBrowser(random, login) }),
  },
  otherBrowser: {
    title: 'the victim’s city and provider, any browser',
    draw: (random, { world, login }) => ({ place: near(random, world, login), shown: anyDevice(random, login) }),
  },
  copied: {
    title: 'a copied fingerprint, half of them in the victim’s country, half anywhere',
    draw: (random, { world, login }) => ({
      place: random() < 0.5 ? anywhere(random, world) : inCountry(random, world, login),
      shown: login.shown,
    }),
  },
  copiedElsewhere: {
    title: 'a copied fingerprint, a provider in the victim’s country that the victim never used',
    draw: (random, { world, login }) => ({ place: inCountry(random, world, login), shown: login.shown }),
  },
  copiedChanged: {
    title: 'a copied fingerprint with one setting changed, the victim’s city and provider',
    draw: (random, { world, login }) => ({
      place: near(random, world, login),
      shown: { ...login.shown, fingerprint: `${login.shown.fingerprint} changed` },
    }),
  },
  lookAlike: {
    title: 'the victim’s city and provider, the same model of device',
    draw: (random, { world, login }) => ({ place: near(random, world, login), shown: sameModel(random, login) }),
  },
  neighbour: {
    title: 'the victim’s own address, a device of their own',
    draw: (random, { login }) => ({ place: login.place, shown: anyDevice(random, login) }),
  },
  neighbourSameBrowser: {
    title: 'the victim’s own address, another device with the same browser',
    draw: (random, { login }) => ({ place: login.place, shown: sameBrowser(random, login) }),
  },
  copiedNear: {
    title: 'a copied fingerprint, the victim’s city and provider',
    draw: (random, { world, login }) => ({ place: near(random, world, login), shown: login.shown }),
  },
};

/** Returns an attempt with the right password at the time of the login that it imitates. */
export function attack(name, random, { world, login }) {
  return {
    ...login,
    ...attackers[name].draw(random, { world, login }),
    hour: random() * 24,
    deviceId: `attacker ${name}`,
    proofDraw: 1,
    failures: failuresBefore(random),
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
  if (drawn < 0.5) return hosting(random, { country });
  if (drawn < 0.6) return mobile(random, { country, city: drawCity(random), carrier: country.carrier(random) });
  return fixedLine(random, { country, city: drawCity(random), isp: country.isp(random) });
}

function inCountry(random, world, { truth: { person } }) {
  const { country } = person;
  const drawn = random();
  if (drawn < 0.1) return relay(random, { country, world });
  if (drawn < 0.7)
    return vpn(random, { country, service: world.services[Math.floor(random() * world.services.length)] });
  return fixedLine(random, { country, city: drawCity(random), isp: country.isp(random) });
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

const kinds = [
  ['phone', 0.55],
  ['computer', 1],
];

function anyDevice(random, login) {
  const drawn = random();
  const [kind] = kinds.find(([, share]) => drawn < share);
  const device = drawDevice(random, { kind, from: login?.day ?? 180 });
  return show(device, 'home');
}

/** Returns a device of the victim’s model: the same hardware, and settings of its own. */
function sameModel(random, { truth: { device, release } }) {
  return show({ ...lookAlike(random, device, release), hardware: device.hardware }, 'home');
}

function sameBrowser(random, { truth: { device, release } }) {
  return show(lookAlike(random, device, release), 'home');
}
