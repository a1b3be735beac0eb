import { afterAll, beforeAll, expect, test } from 'vitest';
import { customerOf, home, laptop, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { wideLimits } from '../support/operations.js';
import { startService, type TestService } from '../support/service.js';

describeDatabases('concurrent erasures', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());

  test('do not deadlock for users who refer to each other', async () => {
    const customer = customerOf(service, await service.newProject(wideLimits));
    const pairs = Array.from({ length: 12 }, (_, pair) => [`ada ${pair}`, `bob ${pair}`] as const);
    await Promise.all(
      pairs.flatMap(([ada, bob]) =>
        [[ada, bob, laptop] as const, [bob, ada, phone] as const].map(async ([user, referrer, fingerprint]) => {
          const request = { user, fingerprint, ip: home, metadata: { referrer } };
          await customer.evaluate({ ...request, action: 'signup' });
          await customer.evaluate({ ...request, action: 'referral' });
        }),
      ),
    );
    const erasures = pairs.flat().map((user) => customer.post(`/v2/user/${encodeURIComponent(user)}/delete`));
    expect((await Promise.all(erasures)).map(({ status }) => status)).toEqual(pairs.flat().map(() => 200));
  });
});
