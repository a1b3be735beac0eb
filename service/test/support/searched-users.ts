import type { DatabaseKind } from '../../src/testing.js';
import { phone, tablet } from './customer.js';
import { openDashboardShop } from './dashboard-shop.js';

/** Names of the users, newest first. */
export const names = ['cora', 'bob', 'ada'] as const;

export type SearchedUsers = Awaited<ReturnType<typeof openSearchedUsers>>;

/** Opens a shop with three users to search for. */
export async function openSearchedUsers(kind: DatabaseKind) {
  const shop = await openDashboardShop(kind);
  const { customer } = shop;
  const ada = await customer.ask('/v2/user/ada/update', { email: 'Ada@example.com', phone: '+491701234567' });
  const bob = await customer.ask('/v2/user/=bob/update', { email: 'bob@example.com' });
  const cora = await customer.ask('/v2/user/cora/update');
  await shop.attach('ada');
  await shop.attach('ada', { fingerprint: phone });
  await shop.attach('=bob', { fingerprint: tablet });
  await customer.ask('/v2/user/=bob/update', { status: 'suspended' });
  const { device_id } = await shop.attach('cora');
  await customer.ask(`/v2/device/${device_id}/disown`, {});
  /** IDs of users: `ada` has contacts and two devices, `bob` is suspended and has one, and `cora` disowned hers. */
  const ids = { ada: ada._id, bob: bob._id, cora: cora._id };

  /** Each filter, with the users who match. */
  const cases = (): readonly (readonly [Record<string, string>, readonly (keyof typeof ids)[]])[] => [
    [{}, names],
    [{ status: 'active' }, ['cora', 'ada']],
    [{ status: 'suspended', contact: 'email' }, ['bob']],
    [{ email: 'ADA@example.com' }, ['ada']],
    [{ email: 'nobody@example.com' }, []],
    [{ phone: '0049 170 1234567' }, ['ada']],
    [{ email: 'ada@example.com', phone: '+491701234568' }, []],
    [{ email: 'ada@example.com', status: 'suspended' }, []],
    [{ user: 'cora' }, ['cora']],
    [{ user: 'nobody' }, []],
    [{ user_id: ids.bob }, ['bob']],
    [{ user_id: ids.bob, email: 'ada@example.com' }, []],
    [{ contact: 'both' }, ['ada']],
    [{ contact: 'none' }, ['cora']],
    [{ contact: 'phone' }, []],
    [{ disowned: 'true' }, ['cora']],
    [{ disowned: 'false' }, ['bob', 'ada']],
    [{ min_devices: '2' }, ['ada']],
    [{ min_devices: '0' }, names],
    [{ max_devices: '1', min_devices: '1' }, ['bob']],
    [{ max_devices: '0' }, ['cora']],
    [{ seen_start_date: '2090-01-01' }, []],
    [{ seen_start_date: '2020-01-01', seen_end_date: '2090-01-01' }, names],
    [{ seen_end_date: '2020-01-01' }, []],
    [{ start_date: '2020-01-01', end_date: '2090-01-01' }, names],
    [{ start_date: '2090-01-01' }, []],
    [{ end_date: '2020-01-01' }, []],
  ];

  return { shop, ids, cases };
}
