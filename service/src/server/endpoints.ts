import { assistantEndpoints } from '../api/assistant/routes.js';
import { challengeEndpoints } from '../api/challenges/routes.js';
import { events } from '../api/devices/event-stream-route.js';
import { deviceEndpoints } from '../api/devices/routes.js';
import { evaluationEndpoints } from '../api/evaluations/routes.js';
import { legacyEndpoints } from '../api/legacy/routes.js';
import { listEndpoints } from '../api/lists/routes.js';
import { projectEndpoints } from '../api/project/routes.js';
import { docsSite } from '../api/public/docs-site.js';
import { publicEndpoints } from '../api/public/routes.js';
import { userEndpoints } from '../api/users/routes.js';
import { challengePage } from '../challenge-page/routes.js';
import { dashboardPages } from '../dashboard/routes.js';
import type { Endpoint } from '../http/endpoint.js';
import type { PageRoute } from '../http/pages/page-route.js';
import type { PublicRoute } from '../http/public-route.js';

/** Endpoints that require a key, in the order of the documentation. */
export const endpoints: readonly Endpoint[] = [
  ...evaluationEndpoints,
  ...deviceEndpoints,
  ...userEndpoints,
  ...challengeEndpoints,
  ...listEndpoints,
  ...projectEndpoints,
  ...assistantEndpoints,
  ...legacyEndpoints,
];

/** HTML pages. */
export const pageRoutes: readonly PageRoute[] = [...challengePage, ...dashboardPages, ...docsSite];

/** Routes that require no key. */
export const publicRoutes: readonly PublicRoute[] = [events, ...publicEndpoints];
