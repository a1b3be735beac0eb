import type { JobHandlers } from './delivery/queue/index.js';
import { detachIdleDevices } from './operations/jobs/detach-idle-devices.js';
import { expireChallenges } from './operations/jobs/expire-challenges.js';
import { foldAllActivity } from './operations/jobs/fold-activity.js';
import { removeOldClaims, removeOldRows } from './operations/jobs/remove-old-rows.js';
import { reportSharing } from './operations/jobs/report-sharing.js';
import type { Service } from './service.js';

/** What is done for each kind of job. */
export function jobHandlers(service: Service): JobHandlers {
  return {
    expire_challenges: () => expireChallenges(service),
    detach_idle_devices: () => detachIdleDevices(service),
    remove_old_rows: () => removeOldRows(service),
    remove_old_claims: () => removeOldClaims(service),
    fold_activity: () => foldAllActivity(service),
    report_sharing: (data) => reportSharing(service, data),
  };
}
