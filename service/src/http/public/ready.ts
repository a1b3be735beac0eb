import { z } from '@hono/zod-openapi';
import { ApiError } from '../../errors.js';
import { jsonAnswer, toResponse } from '../answer.js';
import { withDeadline } from '../deadline.js';
import type { PublicRoute } from '../public-route.js';
import { isUpToDate } from './readiness-queries.js';

/** Below the usual patience of load balancers. */
const timeoutMs = 2000;

export const ready: PublicRoute = {
  path: '/readyz',
  operationId: 'ready',
  summary: 'Whether requests can be answered: the database answers, and its tables are up to date',
  contentType: 'application/json',
  answer: z.object({ status: z.literal('ok') }),
  // Far above what any load balancer asks: one that is refused would take the process out of service.
  allowance: { name: 'readyz', perSecond: 100, burst: 300 },
  errors: ['timeout', 'rate_limited', 'unavailable'],
  prepare:
    ({ service }) =>
    async () => {
      if (!(await withDeadline(timeoutMs, () => isUpToDate(service.db)))) {
        throw new ApiError('unavailable', { detail: "The database's tables are not up to date." });
      }
      return toResponse(jsonAnswer({ status: 'ok' }), new Headers({ 'Cache-Control': 'no-store' }));
    },
};
