import { computers, Device, phones } from '../device.js';
import type { Person } from '../people.js';
import type { Answer } from '../shop.js';
import { type Stage, type Story, someTime } from './story.js';

const EXISTING_CUSTOMERS = 80;
const NEW_CUSTOMERS = 100;
/** The day on which browsers release new versions. */
const UPDATE_DAY = 12;
const TRAVEL_SHARE = 0.12;
const PURCHASE_SHARE = 0.2;
const VPN_SHARE = 0.05;

/** Ordinary customers: they return, update their browsers, travel, and sometimes buy a device. */
export const ordinary: Story = (stage) => {
  const { people, random, shop, timeline } = stage;
  for (let number = 0; number < EXISTING_CUSTOMERS; number++) {
    const person = people.person();
    const day = random.between(0, 1.5);
    timeline.plan(day, () => shop.importCustomer(person, person.devices, person.home));
    planLife(stage, person, day);
  }
  for (let number = 0; number < NEW_CUSTOMERS; number++) {
    const person = people.person();
    const day = someTime(random, random.between(1, timeline.days));
    const [device] = person.devices;
    timeline.plan(day, async () => void (await shop.signUp({ customer: person, device, ip: person.home })));
    planLife(stage, person, day);
  }
};

function planLife(stage: Stage, person: Person, from: number): void {
  const { random, timeline, shop } = stage;
  const visitsPerWeek = random.weighted([
    [0.7, 30],
    [2, 45],
    [4, 20],
    [7, 5],
  ]);
  // Some customers never return after the first days.
  const until = random.chance(0.12) ? from + 2 : timeline.days;
  for (let day = from + random.between(0.5, 3); day < until; day += random.between(0.4, 1.6) * (7 / visitsPerWeek)) {
    const device = random.pick(person.devices);
    const action = random.weighted([
      ['login', 85],
      ['payment', 13],
      ['password_reset', 2],
    ]);
    const answer = someAnswer(stage);
    timeline.plan(
      someTime(random, day),
      async () => void (await shop.do({ action, customer: person, device, ip: person.home }, answer)),
    );
  }
  planChanges(stage, person, from);
  if (random.chance(TRAVEL_SHARE)) planTravel(stage, person, from);
  if (random.chance(VPN_SHARE)) planVpn(stage, person, from);
  if (random.chance(PURCHASE_SHARE)) planPurchase(stage, person, from);
}

/** Returns a reaction to a challenge: most enter the code, some at the second attempt, and some skip it. */
function someAnswer({ random }: Stage): Answer {
  const how = random.weighted<Answer['how']>([
    ['completes', 80],
    ['opens', 8],
    ['ignores', 9],
    ['skips', 3],
  ]);
  return how === 'completes' ? { how, mistypes: random.chance(0.15), kicks: true } : { how };
}

function planChanges({ random, timeline, tally }: Stage, { devices }: Person, from: number): void {
  for (const device of devices) {
    timeline.plan(Math.max(from, UPDATE_DAY + random.between(0, 6)), async () => {
      device.upgrade();
      tally.upgraded();
    });
    const changes = [() => device.connectMonitor(), () => device.enableDarkMode(), () => device.installFont()] as const;
    if (random.chance(0.15)) {
      const change = random.pick(changes);
      timeline.plan(random.between(from, timeline.days), async () => change());
    }
  }
}

/** Plans some days of travel with the last device: another address and another time zone. */
function planTravel({ random, timeline, shop, people }: Stage, person: Person, from: number): void {
  const device = person.devices.at(-1) ?? person.devices[0];
  const hotel = people.addressAbroad();
  const begin = random.between(from + 3, timeline.days - 4);
  const zone = random.chance(0.7) ? 'away' : 'farAway';
  timeline.plan(begin, async () => device.travelTo(zone));
  for (let day = begin + 0.3; day < begin + random.between(2, 6); day += random.between(0.5, 1.5)) {
    const visit = { action: 'login', customer: person, device, ip: hotel };
    timeline.plan(day, async () => void (await shop.do(visit, { how: 'completes', kicks: true })));
  }
  timeline.plan(begin + 6, async () => device.travelTo('home'));
}

/** Plans visits through a VPN every few days, each from another of its addresses. */
function planVpn({ random, timeline, shop, people }: Stage, person: Person, from: number): void {
  const [device] = person.devices;
  for (let day = from + random.between(1, 4); day < timeline.days; day += random.between(2, 8)) {
    const visit = { action: 'login', customer: person, device, ip: people.vpnAddress() };
    timeline.plan(someTime(random, day), async () => void (await shop.do(visit)));
  }
}

/** Plans a new device: a code is required once, and not afterwards. */
function planPurchase(stage: Stage, person: Person, from: number): void {
  const { random, timeline, shop } = stage;
  const device = new Device(random, random.chance(0.7) ? random.weighted(phones) : random.weighted(computers));
  const answer = someAnswer(stage);
  for (let day = random.between(from + 2, timeline.days); day < timeline.days; day += random.between(1, 5)) {
    const visit = { action: 'login', customer: person, device, ip: person.home };
    timeline.plan(someTime(random, day), async () => void (await shop.do(visit, answer)));
  }
}
