import { challengePage } from './challenge-page/routes.js';
import { complete } from './challenges/routes/complete.js';
import { deviceHash } from './challenges/routes/device-hash.js';
import { devices as challengeDevices } from './challenges/routes/devices.js';
import { kick } from './challenges/routes/kick.js';
import { list as listChallenges } from './challenges/routes/list.js';
import { open } from './challenges/routes/open.js';
import { retrieve as retrieveChallenge } from './challenges/routes/retrieve.js';
import { send } from './challenges/routes/send.js';
import { skip } from './challenges/routes/skip.js';
import { verify } from './challenges/routes/verify.js';
import { dashboardPages } from './dashboard/routes.js';
import { attach } from './devices/routes/attach.js';
import { detach } from './devices/routes/detach.js';
import { events } from './devices/routes/events.js';
import { metadata } from './devices/routes/metadata.js';
import { update as updateDevice } from './devices/routes/update.js';
import { consume } from './evaluation/routes/consume.js';
import { evaluate, evaluateUnderPlural } from './evaluation/routes/evaluate.js';
import { feedback } from './evaluation/routes/feedback.js';
import { retrieve as retrieveEvaluation } from './evaluation/routes/retrieve.js';
import type { Endpoint } from './http/endpoint.js';
import { apiDocs } from './http/openapi/page-route.js';
import { openApi } from './http/openapi/route.js';
import type { PageRoute } from './http/pages/page-route.js';
import { health } from './http/public/health.js';
import { jwks } from './http/public/jwks.js';
import { metrics } from './http/public/metrics.js';
import { ready } from './http/public/ready.js';
import { eventsScript, script } from './http/public/script.js';
import type { PublicRoute } from './http/public-route.js';
import { accessHistory } from './legacy/access-history.js';
import { completeIdentification } from './legacy/complete-identification.js';
import { deviceMetadata } from './legacy/device-metadata.js';
import { userDevices } from './legacy/user-devices.js';
import { fingerprint } from './linking/routes/fingerprint.js';
import { nonce } from './proof/routes/nonce.js';
import { remove } from './users/routes/delete.js';
import { devices as listUserDevices } from './users/routes/devices.js';
import { exportUser } from './users/routes/export.js';
import { importUsers } from './users/routes/import.js';
import { update as updateUser } from './users/routes/update.js';

/** Endpoints that require a key, in the order of the documentation. */
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

/** HTML pages. */
export const pageRoutes: readonly PageRoute[] = [...challengePage, ...dashboardPages];

/** Routes that require no key. */
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
