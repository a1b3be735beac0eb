import { toResponse } from '../answer.js';
import type { PublicRoute } from '../public-route.js';

export const metrics: PublicRoute = {
  path: '/metrics',
  operationId: 'metrics',
  summary: "The process's metrics, for Prometheus",
  description: 'Counts alone, and nothing personal. Keep it behind your proxy all the same.',
  contentType: 'text/plain',
  // Each reading counts the jobs that wait.
  allowance: { name: 'metrics', perSecond: 5, burst: 20 },
  errors: ['rate_limited'],
  prepare:
    ({ metrics: { registry } }) =>
    async () =>
      toResponse(
        { status: 200, type: registry.contentType, body: await registry.metrics() },
        new Headers({ 'Cache-Control': 'no-store' }),
      ),
};
