import { computers, Device } from '../device.js';
import { type Stage, type Story, someTime } from './story.js';

const MINUTE = 1 / (24 * 60);

/** People with several accounts, for welcome offers or referral rewards. */
export const fraud: Story = (stage) => {
  planManyAccounts(stage, 6, 5);
  planManyAccounts(stage, 4, 20);
  planReferrals(stage, 7, 5);
  planReferrals(stage, 22, 4);
  planHonestReferrals(stage);
};

/** Creates a new account every few hours, from one device and one address. */
function planManyAccounts({ random, people, timeline, shop }: Stage, count: number, day: number): void {
  const device = new Device(random, random.weighted(computers));
  const ip = people.address();
  for (let account = 0; account < count; account++) {
    const customer = people.customer('example.net');
    const begin = someTime(random, day + account * 0.7);
    timeline.plan(begin, async () => {
      const { evaluation_id } = await shop.signUp({ customer, device, ip });
      if (account > 2)
        await shop.whorl.evaluations.feedback(evaluation_id, { label: 'fraud', note: 'Welcome voucher' });
    });
    timeline.plan(begin + 40 * MINUTE, async () => void (await shop.do({ action: 'payment', customer, device, ip })));
  }
}

/** Refers only accounts of the same person. */
function planReferrals({ random, people, timeline, shop }: Stage, day: number, count: number): void {
  const referrer = people.person();
  const [device] = referrer.devices;
  const ip = referrer.home;
  timeline.plan(day, async () => void (await shop.signUp({ customer: referrer, device, ip })));
  for (let friend = 1; friend <= count; friend++) {
    const customer = people.customer('example.org');
    const metadata = { referrer: referrer.id };
    timeline.plan(someTime(random, day + friend * 0.4), async () => {
      await shop.signUp({ customer, device, ip });
      const { evaluation_id } = await shop.do({ action: 'referral', customer, device, ip, metadata });
      await shop.whorl.evaluations.feedback(evaluation_id, { label: 'fraud' });
    });
  }
}

function planHonestReferrals({ random, people, timeline, shop }: Stage): void {
  for (let friends = 0; friends < 12; friends++) {
    const referrer = people.person();
    const friend = people.person();
    const day = random.between(1, timeline.days - 4);
    const [first] = referrer.devices;
    const [second] = friend.devices;
    timeline.plan(day, async () => void (await shop.signUp({ customer: referrer, device: first, ip: referrer.home })));
    timeline.plan(someTime(random, day + 2), async () => {
      await shop.signUp({ customer: friend, device: second, ip: friend.home });
      const metadata = { referrer: referrer.id };
      await shop.do({ action: 'referral', customer: friend, device: second, ip: friend.home, metadata });
    });
  }
}
