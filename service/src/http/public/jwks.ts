import { z } from '@hono/zod-openapi';
import { publicKeys } from '../../projects/projects.js';
import { jsonAnswer, toResponse } from '../answer.js';
import type { PublicRoute } from '../public-route.js';

export const jwks: PublicRoute = {
  path: '/.well-known/jwks.json',
  operationId: 'publicKeys',
  summary: "The public keys of evaluations' tokens",
  description: 'A JSON Web Key Set (RFC 7517), with the keys of all projects.',
  contentType: 'application/jwk-set+json',
  answer: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  allowance: { name: 'jwks', perSecond: 20, burst: 60 },
  errors: ['rate_limited', 'unavailable'],
  prepare:
    ({ service }) =>
    async () => {
      const headers = new Headers({ 'Cache-Control': 'public, max-age=30', 'Access-Control-Allow-Origin': '*' });
      return toResponse({ ...jsonAnswer(await publicKeys(service)), type: 'application/jwk-set+json' }, headers);
    },
};
