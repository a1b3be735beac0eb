import { z } from '@hono/zod-openapi';
import type { AddressInfo } from 'whorl/wire';
import { addressKind } from './vocabulary.js';
import { wireSchema } from './wire-schema.js';

export const addressExample: AddressInfo = {
  country: 'DE',
  region: 'Berlin',
  city: 'Berlin',
  latitude: 52.52,
  longitude: 13.41,
  accuracy_km: 20,
  asn: 3320,
  organisation: 'Deutsche Telekom AG',
  sources: {
    country: 'GeoLite2-City 2026-11-17',
    location: 'GeoLite2-City 2026-11-17',
    asn: 'GeoLite2-ASN 2026-11-20',
  },
};

export const addressInfo = wireSchema<AddressInfo>()(
  'AddressInfo',
  z.object({
    country: z.string().optional().openapi({ description: 'ISO 3166-1 alpha-2.' }),
    region: z.string().optional(),
    city: z.string().optional(),
    latitude: z.number().optional(),
    longitude: z.number().optional(),
    accuracy_km: z.number().optional(),
    asn: z.number().optional(),
    organisation: z.string().optional(),
    kind: addressKind().optional(),
    sources: z
      .object({
        country: z.string().optional(),
        location: z.string().optional(),
        asn: z.string().optional(),
        kind: z.string().optional(),
      })
      .openapi({ description: 'The database or list that each fact comes from.' }),
  }),
  addressExample,
);
