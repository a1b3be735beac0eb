import { analyzeEmbedded } from '../../ground/db/vacuum.js';
import type { JobHandlers } from '../../resources/queue/index.js';
import type { Service } from '../../resources/service.js';
import { checkAlerts } from '../alerts/check.js';
import { sendAlert } from '../alerts/send.js';
import { sendSummaries } from '../alerts/summarise.js';
import { runSearch } from '../rule-finder/run.js';
import { runReplay } from '../rule-replay/run.js';
import { createPartitionsOrLater } from './create-partitions.js';
import { detachIdleDevices } from './detach-idle-devices.js';
import { expireChallenges } from './expire-challenges.js';
import { foldAllActivity } from './fold-activity.js';
import { mergeVelocity } from './merge-velocity.js';
import { removeOldClaims, removeOldRows } from './remove-old-rows.js';
import { reportSharing } from './report-sharing.js';
import { sendNotice } from './send-notice.js';

/** Returns the handler of each kind of job. */
export function jobHandlers(service: Service): JobHandlers {
  return {
    expire_challenges: () => expireChallenges(service),
    detach_idle_devices: () => detachIdleDevices(service),
    create_partitions: () => createPartitionsOrLater(service),
    remove_old_rows: () => removeOldRows(service),
    remove_old_claims: () => removeOldClaims(service),
    fold_activity: () => foldAllActivity(service),
    merge_velocity: () => mergeVelocity(service),
    update_statistics: () => analyzeEmbedded(service.db),
    replay_rules: (data) => runReplay(service, data),
    find_rule: (data) => runSearch(service, data),
    report_sharing: (data) => reportSharing(service, data),
    check_alerts: () => checkAlerts(service),
    send_summaries: () => sendSummaries(service),
    send_alert: (data) => sendAlert(service, data),
    send_notice: (data) => sendNotice(service, data),
  };
}
