import { computers, Device } from '../device.js';
import type { Person } from '../people.js';
import { type Stage, type Story, someTime } from './story.js';

const MINUTE = 1 / (24 * 60);

/** Takeover of other people's accounts, wrong passwords, and automated sign-ups. */
export const attacks: Story = (stage) => {
  planTakeover(stage, 10);
  planTakeover(stage, 24);
  planBots(stage, 14, { count: 30, disposableShare: 0.8 });
  planBots(stage, 29, { count: 45, disposableShare: 0 });
  planSpoofer(stage, 18);
  planStuffing(stage, 26);
  planSlowStuffing(stage, 31);
  planTypos(stage, 40);
  planSupport(stage, 27);
};

/** Tries leaked passwords on one account after another. The owners report that it was not them. */
function planTakeover(stage: Stage, day: number): void {
  const { random, people, timeline, shop } = stage;
  const device = new Device(random, 'windowsChrome');
  const ip = day > 20 ? people.vpnAddress() : people.attackersAddress();
  const victims = Array.from({ length: 9 }, () => joinEarly(stage));
  const begin = someTime(random, day);
  let deviceId: string | undefined;
  for (const [index, customer] of victims.entries()) {
    const isReported = index % 3 === 0;
    timeline.plan(begin + index * 4 * MINUTE, async () => {
      const visit = { action: 'login', customer, device, ip };
      const { evaluation_id, device_id } = await shop.do(visit, { how: isReported ? 'skips' : 'opens' });
      if (isReported) await shop.whorl.evaluations.feedback(evaluation_id, { label: 'fraud', note: 'The user called' });
      deviceId = device_id;
    });
  }
  // The attacker's device is blocked and tries again.
  const last = victims.at(-1);
  timeline.plan(day + 1.5, async () => {
    if (deviceId) await shop.whorl.devices.update(deviceId, { status: 'blocked' });
  });
  for (const later of [1.7, 2.4, 4.1]) {
    if (last) {
      const visit = { action: 'login', customer: last, device, ip };
      timeline.plan(day + later, async () => void (await shop.do(visit, { how: 'opens' })));
    }
  }
}

/**
 * A program tries leaked pairs of names and passwords, from a few addresses. None of the names is a customer's.
 */
function planStuffing({ random, people, timeline, shop }: Stage, day: number): void {
  const device = new Device(random, 'linuxChrome');
  const addresses = [people.attackersAddress(), people.attackersAddress(), people.attackersAddress()] as const;
  const begin = someTime(random, day);
  for (let attempt = 0; attempt < 240; attempt++) {
    const { email } = people.customer();
    const ip = random.pick(addresses);
    timeline.plan(begin + attempt * 0.5 * MINUTE, async () => void (await shop.failLogIn({ user: email, device, ip })));
  }
}

/** The same from a new address each time, slowly, and with another fingerprint. Some names are those of customers. */
function planSlowStuffing(stage: Stage, day: number): void {
  const { random, people, timeline, shop } = stage;
  const victims = Array.from({ length: 10 }, () => joinEarly(stage));
  for (let attempt = 0; attempt < 120; attempt++) {
    const device = new Device(random, random.weighted(computers));
    const victim = attempt % 12 === 0 ? victims[attempt / 12] : undefined;
    const user = victim?.id ?? people.customer().email;
    const ip = people.attackersAddress();
    const at = day + attempt * random.between(4, 6) * MINUTE;
    timeline.plan(at, async () => void (await shop.failLogIn({ user, device, ip })));
  }
}

/** Customers who mistype their passwords once or twice, and then log in. */
function planTypos(stage: Stage, count: number): void {
  const { random, timeline, shop } = stage;
  for (let number = 0; number < count; number++) {
    const customer = joinEarly(stage);
    const [device] = customer.devices;
    const begin = someTime(random, random.between(6, timeline.days - 1));
    const attempt = { user: customer.id, device, ip: customer.home };
    const typos = random.chance(0.3) ? 2 : 1;
    for (let typo = 0; typo < typos; typo++) {
      timeline.plan(begin + typo * MINUTE, async () => void (await shop.failLogIn(attempt)));
    }
    const visit = { action: 'login', customer, device, ip: customer.home };
    timeline.plan(begin + typos * MINUTE, async () => void (await shop.do(visit)));
  }
}

/** Adds an early customer who becomes a victim later. */
function joinEarly({ random, people, timeline, shop }: Stage): Person {
  const person = people.person();
  const [device] = person.devices;
  timeline.plan(someTime(random, random.between(0, 4)), async () => {
    await shop.signUp({ customer: person, device, ip: person.home });
  });
  return person;
}

/** A program that creates accounts from one address within an hour, some with disposable email addresses. */
function planBots(
  { random, people, timeline, shop }: Stage,
  day: number,
  { count, disposableShare }: { count: number; disposableShare: number },
): void {
  const ip = people.attackersAddress();
  const begin = someTime(random, day);
  for (let account = 0; account < count; account++) {
    const device = new Device(random, 'linuxChrome');
    const customer = people.customer(random.chance(disposableShare) ? 'mailinator.com' : 'example.net');
    const visit = { customer, device, ip, fingerprint: device.withIntegrity('driven') };
    timeline.plan(begin + account * 1.1 * MINUTE, async () => void (await shop.signUp(visit, { how: 'ignores' })));
  }
}

/** One browser that pretends to be another, and one whose fingerprint cannot be read. */
function planSpoofer({ random, people, timeline, shop }: Stage, day: number): void {
  const customer = people.customer();
  const device = new Device(random, 'windowsChrome');
  const ip = people.address();
  const fingerprint = device.withIntegrity('spoofed');
  timeline.plan(day, async () => void (await shop.signUp({ customer, device, ip, fingerprint })));
  for (const later of [0.5, 2, 3.2]) {
    const visit = { action: 'login', customer, device, ip, fingerprint };
    timeline.plan(day + later, async () => void (await shop.do(visit, { how: 'opens' })));
  }
  const unreadable = { action: 'login', customer, device, ip, fingerprint: 'undefined' };
  timeline.plan(day + 4, async () => void (await shop.do(unreadable, { how: 'ignores' })));
}

/** Actions of support staff: suspend, trust permanently, sign out, erase. */
function planSupport(stage: Stage, day: number): void {
  const { timeline, shop } = stage;
  const { users, devices } = shop.whorl;
  const suspended = joinEarly(stage);
  const erased = joinEarly(stage);
  const trusted = joinEarly(stage);
  const lost = joinEarly(stage);
  timeline.plan(day, async () => void (await users.update(suspended.id, { status: 'suspended' })));
  const [device] = suspended.devices;
  const again = { action: 'login', customer: suspended, device, ip: suspended.home };
  for (const later of [0.3, 1.2]) timeline.plan(day + later, async () => void (await shop.do(again)));
  timeline.plan(day + 0.1, async () => void (await users.delete(erased.id)));
  timeline.plan(day + 0.2, async () => {
    const { data } = await users.devices(trusted.id);
    for (const { _id } of data) await devices.update(_id, { whitelisted: true });
  });
  timeline.plan(day + 0.4, async () => {
    const { data } = await users.devices(lost.id);
    for (const { _id } of data) await devices.detach(_id, { user: lost.id });
  });
}
