import { challengePage } from './challenge-page/routes.js';
import { challengeEndpoints } from './challenges/routes.js';
import { dashboardPages } from './dashboard/routes.js';
import { events } from './devices/event-stream-route.js';
import { deviceEndpoints } from './devices/routes.js';
import { evaluationEndpoints } from './evaluation/routes.js';
import type { Endpoint } from './http/endpoint.js';
import type { PageRoute } from './http/pages/page-route.js';
import { docsSite } from './http/public/docs-site.js';
import type { PublicRoute } from './http/public/route.js';
import { publicEndpoints } from './http/public/routes.js';
import { legacyEndpoints } from './legacy/routes.js';
import { userEndpoints } from './users/routes.js';

/** Endpoints that require a key, in the order of the documentation. */
export const endpoints: readonly Endpoint[] = [
  ...evaluationEndpoints,
  ...deviceEndpoints,
  ...userEndpoints,
  ...challengeEndpoints,
  ...legacyEndpoints,
];

/** HTML pages. */
export const pageRoutes: readonly PageRoute[] = [...challengePage, ...dashboardPages, ...docsSite];

/** Routes that require no key. */
export const publicRoutes: readonly PublicRoute[] = [events, ...publicEndpoints];
