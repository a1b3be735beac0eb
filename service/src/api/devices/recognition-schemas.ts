import { z } from '@hono/zod-openapi';
import type {
  FingerprintRequest,
  FingerprintResponse,
  NonceRequest,
  NonceResponse,
  PageFingerprintResponse,
} from 'whorl/wire';
import { example } from '../../http/schemas/examples.js';
import { fingerprintFields, ipAddress, timestamp, uuid } from '../../http/schemas/fields.js';
import { matchedBy } from '../../http/schemas/vocabulary.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';

export const recognitionFields = {
  fingerprint_id: uuid().openapi({ description: 'ID of the browser.' }),
  confidence: z.number().min(0).max(1).openapi({
    description: 'Probability that this is the browser with this `fingerprint_id`.',
  }),
  matched_by: matchedBy(),
  changed: z.array(z.string()).openapi({ description: 'Facets that have changed since the browser was last seen.' }),
};

export const recognitionExample = {
  fingerprint_id: example.identity,
  confidence: 1,
  matched_by: 'exact',
  changed: [],
} satisfies FingerprintResponse;

const fingerprintResponse = wireSchema<FingerprintResponse>()(
  'FingerprintResponse',
  z.object(recognitionFields),
  recognitionExample,
);

export const nonceRequest = wireSchema<NonceRequest>()('NonceRequest', z.object({ ip: ipAddress().optional() }), {
  ip: example.ip,
});

const pageFingerprintResponse = wireSchema<PageFingerprintResponse>()(
  'PageFingerprintResponse',
  z.object({ fingerprint_id: uuid().openapi({ description: 'ID of exactly this fingerprint.' }) }),
  { fingerprint_id: example.identity },
);

/** Response for a secret key or a publishable key. */
export const anyFingerprintResponse = z.union([fingerprintResponse, pageFingerprintResponse]);

export const nonceResponse = wireSchema<NonceResponse>()(
  'NonceResponse',
  z.object({ nonce: z.string(), expires_at: timestamp() }),
  { nonce: example.nonce, expires_at: example.now },
);

export const fingerprintRequest = wireSchema<FingerprintRequest>()('FingerprintRequest', z.object(fingerprintFields), {
  fingerprint: example.fingerprint,
});
