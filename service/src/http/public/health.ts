import { z } from '@hono/zod-openapi';
import { jsonAnswer, toResponse } from '../answer.js';
import type { PublicRoute } from '../public-route.js';

export const health: PublicRoute = {
  path: '/healthz',
  operationId: 'health',
  summary: 'Whether the process runs',
  contentType: 'application/json',
  answer: z.object({ status: z.literal('ok') }),
  prepare: () => () => toResponse(jsonAnswer({ status: 'ok' }), new Headers({ 'Cache-Control': 'no-store' })),
};
