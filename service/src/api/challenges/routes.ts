import { kickDevice } from '../../challenges/kick.js';
import { completeChallenge, openChallenge, skipChallenge } from '../../challenges/lifecycle.js';
import { challengeDeviceHash, challengeDevices, listChallenges, retrieveChallenge } from '../../challenges/read.js';
import { sendChallenge } from '../../challenges/send.js';
import { verifyChallenge } from '../../challenges/verify.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { challengeAndDeviceId, challengeId } from '../../http/schemas/params.js';
import { withPeriod } from '../../http/schemas/query.js';
import { success } from '../../http/schemas/responses.js';
import { deviceSuccess } from '../devices/schemas.js';
import {
  challenge,
  challengeDevices as challengeDevicesResponse,
  challengePage,
  completeChallengeRequest,
  deviceHash,
  kickRequest,
  listChallengesQuery,
  sendChallengeRequest,
  sendResponse,
  verifyChallengeRequest,
  verifyResponse,
} from './schemas.js';

/** Challenge endpoints, in the order of the documentation. */
export const challengeEndpoints: readonly Endpoint[] = [
  endpoint(
    {
      method: 'get',
      path: '/v2/challenges',
      operationId: 'listChallenges',
      tag: 'Challenges',
      summary: 'List challenges',
      description: 'Returns challenges sorted by creation date, most recent first.',
      query: listChallengesQuery,
      response: challengePage,
    },
    ({ service, caller, query }) => listChallenges(service, caller, withPeriod(query)),
  ),
  endpoint(
    {
      method: 'get',
      path: '/v2/challenges/{id}',
      operationId: 'retrieveChallenge',
      tag: 'Challenges',
      summary: 'Retrieve a challenge',
      description: 'Returns a challenge by its ID, which the browser package passes to the `onChallenge` callback.',
      params: challengeId,
      response: challenge,
      errors: ['not_found'],
    },
    ({ service, caller, params }) => retrieveChallenge(service, caller, params.id),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/challenges/{id}/send',
      operationId: 'sendChallenge',
      tag: 'Challenges',
      summary: 'Send a code to the user',
      description:
        'Sends a new code, which invalidates the previous one. Limits: one code every 30 seconds, 5 per challenge, and ' +
        '10 per hour to the same address.',
      params: challengeId,
      body: sendChallengeRequest,
      response: sendResponse,
      errors: ['not_found', 'challenge_closed', 'evaluation_superseded', 'no_channel', 'own_factor_required'],
    },
    ({ service, caller, params, body }) => sendChallenge(service, caller, params.id, body),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/challenges/{id}/verify',
      operationId: 'verifyChallenge',
      tag: 'Challenges',
      summary: 'Verify a code',
      description: 'Checks the code that the user entered. A wrong code is not an error: it returns `success: false`.',
      params: challengeId,
      body: verifyChallengeRequest,
      response: verifyResponse,
      errors: [
        'not_found',
        'challenge_closed',
        'evaluation_superseded',
        'code_not_sent',
        'code_expired',
        'too_many_attempts',
      ],
    },
    ({ service, caller, params, body }) => verifyChallenge(service, caller, params.id, body.code),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/challenges/{id}/complete',
      operationId: 'completeChallenge',
      tag: 'Challenges',
      summary: 'Complete a challenge',
      description:
        'Marks a challenge as completed, so that its device and address are trusted. Call this after you have let the ' +
        'user in. If no code was sent, you must have verified the user yourself; `method` says how.',
      params: challengeId,
      body: completeChallengeRequest,
      response: success,
      errors: ['not_found', 'challenge_closed', 'evaluation_superseded', 'challenge_not_verified'],
    },
    ({ service, caller, params, body }) => completeChallenge(service, caller, params.id, body),
  ),
  endpoint(
    {
      method: 'get',
      path: '/v2/challenges/{id}/devices',
      operationId: 'challengeDevices',
      tag: 'Challenges',
      summary: "Retrieve a challenge's devices",
      description: "Returns the user's devices that count towards the device limit.",
      params: challengeId,
      response: challengeDevicesResponse,
      errors: ['not_found'],
    },
    ({ service, caller, params }) => challengeDevices(service, caller, params.id),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/challenges/{id}/kick',
      operationId: 'kickChallengeDevice',
      tag: 'Challenges',
      summary: 'Kick a device of the user',
      description: 'Detaches another device of the user to make room for the challenged one.',
      params: challengeId,
      body: kickRequest,
      response: deviceSuccess,
      errors: [
        'not_found',
        'challenge_closed',
        'evaluation_superseded',
        'challenge_not_verified',
        'no_channel',
        'own_factor_required',
      ],
    },
    ({ service, caller, params, body }) => kickDevice(service, caller, params.id, body.device),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/challenges/{id}/open',
      operationId: 'openChallenge',
      tag: 'Challenges',
      summary: 'Open a challenge',
      description: 'Records that the user has seen the challenge. The first call emits `challenge.viewed`.',
      params: challengeId,
      response: challenge,
      errors: ['not_found', 'challenge_closed', 'evaluation_superseded'],
    },
    ({ service, caller, params }) => openChallenge(service, caller, params.id),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/challenges/{id}/skip',
      operationId: 'skipChallenge',
      tag: 'Challenges',
      summary: 'Skip a challenge',
      description: 'Closes a challenge without trusting its device or address.',
      params: challengeId,
      response: success,
      errors: ['not_found', 'challenge_closed', 'evaluation_superseded'],
    },
    ({ service, caller, params }) => skipChallenge(service, caller, params.id),
  ),
  endpoint(
    {
      method: 'get',
      path: '/v2/challenges/{id}/devices/{device}/hash',
      operationId: 'challengeDeviceHash',
      tag: 'Challenges',
      summary: "Retrieve a device's hash",
      description: "Returns the newest fingerprint of a device of the challenge's user.",
      params: challengeAndDeviceId,
      response: deviceHash,
      errors: ['not_found'],
    },
    ({ service, caller, params }) => challengeDeviceHash(service, caller, params.id, params.device),
  ),
];
