import { z } from '@hono/zod-openapi';
import { userId, uuid } from './fields.js';

export const id = (what: string) => uuid().openapi({ description: `ID of the ${what}.` });

// A malformed ID is `not_found`, like an unknown one, so that responses do not reveal valid formats.
export const challengeId = z.object({ id: id('challenge') });

export const challengeAndDeviceId = z.object({ id: id('challenge'), device: id('device') });

export const deviceId = z.object({ id: id('device') });

export const evaluationId = z.object({ id: id('evaluation') });

export const userIdInPath = z.object({ id: userId() });
