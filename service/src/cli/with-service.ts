import { readConfig } from '../config.js';
import { createSender } from '../delivery/index.js';
import { createLog } from '../log.js';
import { openService } from '../open-service.js';
import { OperatorError } from '../operator-error.js';
import type { Service } from '../service.js';
import { DatabaseUnavailableError } from '../store/availability.js';

/** Opens what the environment names, does one thing, and closes it. Tables are brought up to date first. */
export async function withService(act: (service: Service) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const sender = createSender(config);
  try {
    const { service, database } = await openService(config, { log: createLog('silent'), sender, wait: false });
    await act(service).finally(() => database.close());
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw new OperatorError(`${error.message}.`, { cause: error });
    throw error;
  } finally {
    sender.close();
  }
}
