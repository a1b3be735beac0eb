import { z } from '@hono/zod-openapi';
import type { RequestWarning, Success } from 'whorl/wire';
import { wireSchema } from './wire-schema.js';

const warning = wireSchema<RequestWarning>()('RequestWarning', z.object({ path: z.string(), message: z.string() }), {
  path: 'last_fingerprnt',
  message: 'is not a known field and was ignored; did you mean `last_fingerprint`?',
});

export const warnings = () =>
  z.array(warning).optional().openapi({
    description: 'Only with a test key: accepted input that is probably a mistake. Empty if there is none.',
  });

export const success = wireSchema<Success>()('Success', z.object({ success: z.boolean() }), { success: true });

export const pageResponseFields = {
  page: z.int().min(1),
  limit: z.int().min(1).max(100),
  total: z.int().min(0).openapi({ description: 'Total number of matches.' }),
};

export const emptyPage = { data: [], page: 1, limit: 10, total: 0 };
