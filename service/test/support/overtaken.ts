import type { Service } from '../../src/service.js';

/**
 * The service as one who is too slow has it: between what it reads first and the transaction that rests on that, something
 * else happens.
 */
export function overtakenService(service: Service, meanwhile: () => Promise<unknown>): Service {
  let hasRead = false;
  const db = new Proxy(service.db, {
    get(target, name) {
      if (name === 'selectFrom') hasRead = true;
      if (name === 'transaction' && hasRead) return transaction;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const transaction = () => ({
    async execute(...given: Parameters<ReturnType<Service['db']['transaction']>['execute']>) {
      await meanwhile();
      return service.db.transaction().execute(...given);
    },
  });
  return { ...service, db };
}
