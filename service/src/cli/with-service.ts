import { DatabaseUnavailableError } from '../db/availability.js';
import { OperatorError } from '../operator-error.js';
import type { Service } from '../service.js';

/**
 * Opens what the environment names, does one thing, and closes it. Tables are brought up to date first. All that takes is
 * loaded here, and what a command does by the command: that is most of the time of one, and help needs none of it.
 */
export async function withService(act: (service: Service) => Promise<void>): Promise<void> {
  const [{ readConfig }, { createSender }, { createLog }, { openService }] = await Promise.all([
    import('../config.js'),
    import('../messages/index.js'),
    import('../log.js'),
    import('../open-service.js'),
  ]);
  const config = readConfig(process.env);
  const sender = createSender(config);
  try {
    const { service, database } = await openService(config, { log: createLog('silent'), sender, wait: false });
    await act(service).finally(() => database.close());
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) {
      throw new OperatorError('Database unreachable: try again once it is back.', { cause: error });
    }
    throw error;
  } finally {
    sender.close();
  }
}
