import { z } from '@hono/zod-openapi';
import type { Problem } from 'whorl/wire';
import { errorTable } from '../../ground/errors.js';
import { errorCodes } from '../error-guide.js';
import { wireSchema } from './wire-schema.js';

/** RFC 9457. */
export const problem = wireSchema<Problem>()(
  'Problem',
  z.object({
    type: z.string().openapi({ description: "URL of the code's documentation." }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(errorCodes),
    request_id: z.string(),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: 'With `invalid_request`: each error and its field.' }),
  }),
  {
    type: '{base_url}/docs/api#error-not_found',
    title: errorTable.not_found.title,
    status: 404,
    detail: 'There is no evaluation with this ID.',
    code: 'not_found',
    request_id: '019aa4c0-5301-7e10-9f77-3d2c1b0a9f06',
  },
);
