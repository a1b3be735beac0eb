import { z } from '@hono/zod-openapi';
import type { RequestWarning } from 'whorl/wire';
import { wireSchema } from './wire-schema.js';

const warning = wireSchema<RequestWarning>()('RequestWarning', z.object({ path: z.string(), message: z.string() }), {
  path: 'last_fingerprnt',
  message: 'is not a known field and was ignored; did you mean `last_fingerprint`?',
});

/** What answers to test keys carry. */
export const warnings = () =>
  z.array(warning).optional().openapi({
    description: 'With a test key alone: what was accepted, and is probably a mistake. Empty where there is nothing.',
  });
