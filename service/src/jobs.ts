import type { JobHandlers } from './delivery/queue/index.js';
import type { Service } from './service.js';

/** What is done for each kind of job. */
export function jobHandlers(service: Service): JobHandlers {
  const later = async () => service.log.debug('Not there yet');
  return { expire_challenges: later, detach_idle_devices: later, remove_old_rows: later, report_sharing: later };
}
