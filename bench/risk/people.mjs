import { drawHabits } from '../identity/population/people.mjs';
import { waiting } from '../identity/population/random.mjs';
import { countryOf } from '../identity/population/world.mjs';
import { given } from './sources.mjs';
import { drawCity, fixedLine, mobile, relay, sharedLine, vpn } from './world.mjs';

const weekendDays = [0, 6];

/** Draws from a gamma distribution (Marsaglia and Tsang 2000). */
function gamma(random, shape, scale) {
  if (shape < 1) return gamma(random, shape + 1, scale) * random() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v * scale;
  }
}

export function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function ratePerYear(random) {
  for (;;) {
    const rate = gamma(random, given.rateShape, given.ratePerYear);
    if (rate >= given.minPerYear) return rate;
  }
}

/** Returns one workplace for every `perWorkplace` people, in a city by its size. */
export function drawWorkplaces(random, world, people) {
  return Array.from({ length: Math.ceil((people * given.employed) / given.perWorkplace) }, () => {
    const country = random() < given.homeMarket ? world.home : world.country(random);
    const city = drawCity(random);
    return { country, city, place: fixedLine(random, { country, city, isp: country.isp(random) }) };
  });
}

/** Draws a person: home, workplace, devices, habits, journeys and moves of a year. */
export function drawPerson(random, { id, world, workplaces, devices, days, perYear }) {
  const job = random() < given.employed ? workplaces[Math.floor(random() * workplaces.length)] : undefined;
  const country = job?.country ?? (random() < given.homeMarket ? world.home : world.country(random));
  const city = job && random() < given.liveNearWork ? job.city : drawCity(random);
  const person = {
    id,
    perYear: perYear ?? ratePerYear(random),
    country,
    job,
    home: drawHome(random, country, city),
    carrier: country.carrier(random),
    usesVpn: random() < given.vpnUsers,
    usesRelay: random() < given.relayUsers,
    vpnService: world.services[Math.floor(random() * world.services.length)],
    vpnCountry: random() < given.vpnHomeCountry ? country : world.country(random),
    hour: given.usualHour + normal(random) * given.usualHourSpread,
    away: [],
    trips: [],
    moves: [],
    devices: [],
  };
  for (
    let day = waiting(random, given.tripsPerYear / 365);
    day < days;
    day += waiting(random, given.tripsPerYear / 365)
  ) {
    const nights = 1 + Math.floor(waiting(random, 1 / (given.tripNights - 0.5)));
    const to = random() < given.tripAbroad ? world.country(random) : country;
    const trip = { from: day, until: day + nights, country: to, city: drawCity(random) };
    const zone = to === country ? undefined : countryOf(to.code).zone(random);
    person.trips.push({ ...trip, zone, place: fixedLine(random, { ...trip, isp: to.isp(random) }) });
    day += nights;
  }
  for (
    let day = waiting(random, given.movesPerYear / 365);
    day < days;
    day += waiting(random, given.movesPerYear / 365)
  ) {
    person.moves.push(day);
  }
  drawDevices(random, person, { devices, days });
  return person;
}

function drawHome(random, country, city) {
  const isp = country.isp(random);
  const drawn = random();
  const { homeDaily, homeLease, homeShared } = given;
  const kind =
    drawn < homeDaily
      ? 'daily'
      : drawn < homeDaily + homeLease
        ? 'lease'
        : drawn < homeDaily + homeLease + homeShared
          ? 'shared'
          : 'static';
  return { country, city, isp, kind, place: fixedLine(random, { country, city, isp }), until: 0 };
}

function drawDevices(random, person, { devices, days }) {
  const country = person.country.code;
  const add = (kind, { months, weight, atWork = false }) => {
    let from = 0;
    while (from < days) {
      const until = from + waiting(random, 12 / months / 365);
      const device = devices.drawDevice(random, { kind, country, from });
      const own = { from, until, atWork, isReplacement: from > 0 };
      person.devices.push({ ...own, device, weight, habits: drawHabits(random) });
      if (kind === 'computer' && random() < given.secondBrowser) {
        const second = devices.drawSecondBrowser(random, device, { country, from });
        if (second)
          person.devices.push({
            ...own,
            device: second,
            weight: weight * given.secondWeight,
            habits: drawHabits(random),
          });
      }
      from = until;
    }
  };
  const has = (share) => random() < share;
  const phone = has(given.phoneOwners);
  const computer = has(given.computerOwners) || !phone;
  // A person prefers one kind of device: the weights vary widely.
  const weight = () => Math.exp(normal(random));
  if (phone) add('phone', { months: given.phoneMonths, weight: weight() * given.phoneWeight });
  if (computer) add('computer', { months: given.computerMonths, weight: weight() });
  if (has(given.tabletOwners)) add('tablet', { months: given.computerMonths, weight: weight() * given.tabletWeight });
  if (person.job && has(given.workComputers))
    add('computer', { months: given.computerMonths, weight: weight(), atWork: true });
}

/** Returns the hour of a login in local time: around the person's usual hour, with a wide spread. */
export function drawHour(random, person) {
  return (((person.hour + normal(random) * given.hourSpread) % 24) + 24) % 24;
}

/** Moves the person's home to the state of a day, and returns its place. */
function homePlace(random, person, day) {
  while (person.moves.length > 0 && person.moves[0] <= day) {
    person.moves.shift();
    const city = random() < given.moveAway ? drawCity(random) : person.home.city;
    person.home = drawHome(random, person.country, city);
    person.movedAt = day;
  }
  const { home } = person;
  if (home.kind === 'shared') return sharedLine(random, home);
  if (home.until <= day) {
    const mean = home.kind === 'lease' ? given.homeLeaseDays : given.homeStaticDays;
    if (home.until > 0) home.place = fixedLine(random, { ...home, previous: home.place });
    home.until = home.kind === 'daily' ? Math.floor(day) + 1 : day + waiting(random, 1 / mean);
  }
  return home.place;
}

function mobilePlace(random, person, at) {
  if (!person.lastMobile || random() >= given.gatewaySticky)
    person.lastMobile = mobile(random, { ...at, carrier: person.carrier });
  return person.lastMobile;
}

/** Returns the Wi-Fi of a friend, a café or a library: an old one half the time. */
function awayPlace(random, person) {
  const { away, home, country } = person;
  if (away.length > 0 && random() < given.awayAgain) return away[Math.floor(random() * away.length)];
  const fresh = fixedLine(random, { country, city: home.city, isp: country.isp(random) });
  away.push(fresh);
  if (away.length > given.awayPlaces) away.shift();
  return fresh;
}

/** Returns the device and the place of a login, and what is special about it. */
export function visit(random, person, { day, hour, weekday, world }) {
  const isWorkTime = person.job && !weekendDays.includes(weekday) && hour >= given.workFrom && hour < given.workUntil;
  const trip = person.trips.find(({ from, until }) => from <= day && day < until);
  const usable = person.devices.filter(
    ({ from, until, atWork }) => from <= day && day < until && (!atWork || (isWorkTime && !trip)),
  );
  const own = pick(
    random,
    usable.length > 0 ? usable : person.devices.filter(({ from, until }) => from <= day && day < until),
  );
  const { device, atWork } = own;
  const home = homePlace(random, person, day);
  const at = underlying(random, person, { device, atWork, trip, isWorkTime, home });
  const isApple = device.engine === 'w';
  if (isApple && person.usesRelay && !atWork)
    return { own, trip, place: relay(random, { country: trip?.country ?? person.country, world }) };
  if (person.usesVpn && !atWork && random() < given.vpnVisits) {
    return { own, trip, place: vpn(random, { country: person.vpnCountry, service: person.vpnService }) };
  }
  return { own, trip, place: at };
}

function underlying(random, person, { device, atWork, trip, isWorkTime, home }) {
  const isComputer = device.type === 'computer';
  if (trip) {
    const { country } = person;
    // Roaming traffic leaves the network at the home carrier's gateways.
    if (!isComputer && random() >= given.wifiShare)
      return mobilePlace(random, person, { country, city: person.home.city });
    return trip.place;
  }
  if (atWork) return person.job.place;
  if (isComputer) return random() < given.computerAway ? awayPlace(random, person) : home;
  if (random() >= given.wifiShare) return mobilePlace(random, person, person.home);
  if (isWorkTime) return person.job.place;
  return random() < given.phoneAwayWifi ? awayPlace(random, person) : home;
}

function pick(random, entries) {
  const sum = entries.reduce((total, { weight }) => total + weight, 0);
  let at = random() * sum;
  for (const entry of entries) {
    at -= entry.weight;
    if (at < 0) return entry;
  }
  return entries[entries.length - 1];
}
