import type { Service } from '../../src/testing.js';

/**
 * Returns a service that runs `meanwhile` between its first read and the transaction that depends on it. This simulates
 * a race that the caller loses.
 */
export function interleavedService(service: Service, meanwhile: () => Promise<unknown>): Service {
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
    async execute(...args: Parameters<ReturnType<Service['db']['transaction']>['execute']>) {
      await meanwhile();
      return service.db.transaction().execute(...args);
    },
  });
  return { ...service, db };
}
