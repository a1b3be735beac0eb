import { computers, Device, phones } from '../device.js';
import type { Customer } from '../shop.js';
import { type Stage, type Story, someTime } from './story.js';

const MINUTE = 1 / (24 * 60);

/** Accounts that several households use. */
export const sharing: Story = (stage) => {
  for (const [sharers, from] of [
    [7, 2],
    [6, 9],
    [8, 16],
  ] as const) {
    planSharedAccount(stage, sharers, from);
  }
};

interface Sharer {
  readonly device: Device;
  readonly home: string;
}

function planSharedAccount(stage: Stage, count: number, from: number): void {
  const { random, people, timeline, shop } = stage;
  const account = people.customer();
  const sharers = Array.from({ length: count }, (_, index): Sharer => {
    const device = new Device(random, index % 2 ? random.weighted(phones) : random.weighted(computers));
    return { device, home: people.address() };
  });
  const [owner] = sharers;
  if (!owner) return;
  timeline.plan(
    from,
    async () => void (await shop.signUp({ customer: account, device: owner.device, ip: owner.home })),
  );
  for (let day = from + 1; day < timeline.days; day += random.between(0.6, 2))
    planEvening(stage, account, sharers, day);
  planConversion(stage, sharers[1], Math.min(from + 14, timeline.days - 2));
}

/** Plans an evening on which some of the sharers watch at the same time, each at home. */
function planEvening(stage: Stage, account: Customer, sharers: readonly Sharer[], day: number): void {
  const { random, timeline, shop } = stage;
  const evening = someTime(random, day);
  const watching = sharers.filter(() => random.chance(0.45));
  for (const [index, { device, home }] of watching.entries()) {
    const hasCode = random.chance(0.6);
    timeline.plan(evening + index * 1.2 * MINUTE, async () => {
      const visit = { action: 'login', customer: account, device, ip: home };
      const { reasons } = await shop.do(visit, hasCode ? { how: 'completes', kicks: true } : { how: 'opens' });
      const isSharing = reasons.includes('limit_exceeded') || reasons.includes('concurrency');
      if (isSharing) await stage.reportSharing(account.id);
    });
  }
}

/** Plans a sharer who is tired of codes and creates a separate account. */
function planConversion({ random, people, timeline, shop }: Stage, sharer: Sharer | undefined, day: number): void {
  if (!sharer) return;
  const customer = people.customer();
  const { device, home: ip } = sharer;
  timeline.plan(someTime(random, day), async () => void (await shop.signUp({ customer, device, ip })));
  for (let next = day + 2; next < timeline.days; next += random.between(1, 4)) {
    timeline.plan(someTime(random, next), async () => void (await shop.do({ action: 'login', customer, device, ip })));
  }
}
