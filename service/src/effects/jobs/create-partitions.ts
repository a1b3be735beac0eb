import { createPartitions } from '../../ground/db/partitions.js';
import type { Service } from '../../resources/service.js';

/**
 * Creates the partitions of the next months. This is often, because it does not wait for a backup that reads the tables, and
 * rows are in the default partition until then.
 */
export async function createPartitionsOrLater({ db, log, now }: Pick<Service, 'db' | 'log' | 'now'>): Promise<void> {
  if (await createPartitions(db, now())) return;
  log.warn('Partitions for the next months could not be created yet: something else uses the tables, such as a backup');
}
