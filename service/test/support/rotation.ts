import { createVault } from '../../src/testing.js';
import { createDatabase, type FreshDatabase } from './databases.js';
import { masterSecret, type StartOptions, startService, type TestService } from './service.js';

export const oldSecret = masterSecret;
export const newSecret = 'the next master secret, which only tests know';
/** The first bytes of what is sealed with the new secret: of texts, and of compressed ones. */
export const newPrefixes = createVault(newSecret).sealedPrefixes;
/** Environment of a service after a rotation. */
export const rotated = { WHORL_SECRET: newSecret, WHORL_SECRET_PREVIOUS: oldSecret };
/** Environment once everything is resealed. */
export const resealed = { WHORL_SECRET: newSecret };

/** Service that can be restarted on the same database with different environment variables. */
export interface RestartableService {
  readonly fresh: FreshDatabase;
  /** Stops the service if it is running, and starts it again. The first start uses the old secret. */
  restart(environment?: StartOptions['environment']): Promise<TestService>;
  stop(): Promise<void>;
  /** Stops the service and deletes the database. */
  close(): Promise<void>;
}

export async function openRestartableService(database: StartOptions['database']): Promise<RestartableService> {
  const fresh = await createDatabase(database);
  let running: TestService | undefined;
  const stop = async () => {
    await running?.close();
    running = undefined;
  };
  return {
    fresh,
    stop,
    async restart(environment = {}) {
      const clock = running?.clock;
      await stop();
      running = await startService({ database, environment, on: fresh, ...(clock && { clock }) });
      return running;
    },
    async close() {
      await stop();
      await fresh.drop();
    },
  };
}
