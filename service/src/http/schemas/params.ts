import { z } from '@hono/zod-openapi';
import { userId, uuid } from './fields.js';

export const id = (what: string) => uuid().openapi({ description: `The id of the ${what}.` });

// What does not fit is not found, as an id that nothing has: no request is told whether it only guessed wrong.
export const challengeId = z.object({ id: id('challenge') });

export const challengeAndDeviceId = z.object({ id: id('challenge'), device: id('device') });

export const deviceId = z.object({ id: id('device') });

export const evaluationId = z.object({ id: id('evaluation') });

export const userIdInPath = z.object({ id: userId() });
