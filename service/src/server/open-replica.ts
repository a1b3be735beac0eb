import type { Logger } from 'pino';
import type { ReadReplica, ReplicaState } from '../ground/db/replica/replica.js';
import type { Config } from './config.js';
import { type OpenedService, type OpenOptions, openService } from './open-service.js';

export interface OpenedServer extends OpenedService {
  /** Absent if none is configured. */
  readonly replica: ReadReplica | undefined;
}

/**
 * Opens the service as `openService` does, and its read replica if one is configured. An unreachable replica is logged, and
 * does not prevent the start.
 *
 * @throws OperatorError also if the replica belongs to another database.
 */
export async function openWithReplica(config: Config, options: OpenOptions): Promise<OpenedServer> {
  const opened = await openService(config, options);
  const { database, service } = opened;
  const configured = config.database.kind === 'postgresql' ? config.database.replica : undefined;
  if (!configured || !database.openReplica) return { ...opened, replica: undefined };
  try {
    const onChange = (state: ReplicaState) => logState(options.log, state);
    const replica = await database.openReplica({ ...configured, onChange });
    return { database, service: { ...service, replica }, replica };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function logState(log: Logger, { status, lagMs }: ReplicaState): void {
  if (status === 'used') log.info({ lagMs }, 'Reads go to the read replica');
  else log.warn({ status, lagMs }, 'The read replica cannot be used: reads go to the primary');
}
