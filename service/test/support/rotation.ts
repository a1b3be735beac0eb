import { createDatabase, type FreshDatabase } from './databases.js';
import { masterSecret, type StartOptions, startService, type TestService } from './service.js';

export const oldSecret = masterSecret;
export const newSecret = 'the next master secret, which only tests know';
/** The variables of a service after a rotation. */
export const rotated = { WHORL_SECRET: newSecret, WHORL_SECRET_PREVIOUS: oldSecret };
/** The same once everything is resealed. */
export const resealed = { WHORL_SECRET: newSecret };

/** A service that restarts on the same database, with other variables. */
export interface RestartedService {
  readonly fresh: FreshDatabase;
  /** Stops the service, if it runs, and starts it again. The first start has the old secret. */
  restart(environment?: StartOptions['environment']): Promise<TestService>;
  stop(): Promise<void>;
  /** Stops it, and removes the database. */
  close(): Promise<void>;
}

export async function openRestarted(database: StartOptions['database']): Promise<RestartedService> {
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
