import type { Endpoint } from '../http/endpoint.js';
import type { PageRoute } from '../http/page-route.js';
import type { PublicRoute } from '../http/public-route.js';
import { complete } from './challenge/complete.js';
import { deviceHash } from './challenge/device-hash.js';
import { devices as challengeDevices } from './challenge/devices.js';
import { kick } from './challenge/kick.js';
import { list as listChallenges } from './challenge/list.js';
import { open } from './challenge/open.js';
import { retrieve as retrieveChallenge } from './challenge/retrieve.js';
import { send } from './challenge/send.js';
import { skip } from './challenge/skip.js';
import { verify } from './challenge/verify.js';
import { attach } from './device/attach.js';
import { detach } from './device/detach.js';
import { evaluate, evaluateUnderPlural } from './device/evaluate.js';
import { events } from './device/events.js';
import { fingerprint } from './device/fingerprint.js';
import { metadata } from './device/metadata.js';
import { nonce } from './device/nonce.js';
import { update as updateDevice } from './device/update.js';
import { consume } from './evaluation/consume.js';
import { feedback } from './evaluation/feedback.js';
import { retrieve as retrieveEvaluation } from './evaluation/retrieve.js';
import { accessHistory } from './legacy/access-history.js';
import { completeIdentification } from './legacy/complete-identification.js';
import { deviceMetadata } from './legacy/device-metadata.js';
import { userDevices } from './legacy/user-devices.js';
import { challengePage } from './pages/challenge/routes.js';
import { dashboardPages } from './pages/dashboard/routes.js';
import { apiDocs } from './public/api-docs.js';
import { health } from './public/health.js';
import { jwks } from './public/jwks.js';
import { metrics } from './public/metrics.js';
import { openApi } from './public/openapi.js';
import { ready } from './public/ready.js';
import { eventsScript, script } from './public/script.js';
import { remove } from './user/delete.js';
import { devices as listUserDevices } from './user/devices.js';
import { exportUser } from './user/export.js';
import { importUsers } from './user/import.js';
import { update as updateUser } from './user/update.js';

/** All that takes a key, in the order of the documentation. */
export const endpoints: readonly Endpoint[] = [
  evaluate,
  evaluateUnderPlural,
  retrieveEvaluation,
  consume,
  feedback,
  attach,
  fingerprint,
  nonce,
  detach,
  metadata,
  updateDevice,
  listUserDevices,
  updateUser,
  importUsers,
  remove,
  exportUser,
  listChallenges,
  retrieveChallenge,
  send,
  verify,
  complete,
  challengeDevices,
  kick,
  open,
  skip,
  deviceHash,
  accessHistory,
  userDevices,
  completeIdentification,
  deviceMetadata,
];

/** The pages for people. */
export const pageRoutes: readonly PageRoute[] = [...challengePage, ...dashboardPages];

/** All that takes no key. */
export const publicRoutes: readonly PublicRoute[] = [
  events,
  jwks,
  openApi,
  apiDocs,
  script,
  eventsScript,
  health,
  ready,
  metrics,
];
