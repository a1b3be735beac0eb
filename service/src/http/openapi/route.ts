import { z } from '@hono/zod-openapi';
import { jsonAnswer, toResponse } from '../answer.js';
import type { PublicRoute } from '../public-route.js';

export const openApi: PublicRoute = {
  path: '/openapi.json',
  operationId: 'openApi',
  summary: 'This document',
  contentType: 'application/json',
  answer: z.record(z.string(), z.unknown()),
  prepare({ document }) {
    const answer = jsonAnswer(document);
    return () =>
      toResponse(answer, new Headers({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' }));
  },
};
