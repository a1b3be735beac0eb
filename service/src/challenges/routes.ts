import { deviceSuccess } from '../devices/schemas.js';
import { type Endpoint, endpoint } from '../http/endpoint.js';
import { success } from '../http/schemas/answers.js';
import { challengeAndDeviceId, challengeId } from '../http/schemas/params.js';
import { withPeriod } from '../http/schemas/query.js';
import { kickDevice } from './kick.js';
import { completeChallenge, openChallenge, skipChallenge } from './lifecycle.js';
import { challengeDeviceHash, challengeDevices, listChallenges, retrieveChallenge } from './read.js';
import {
  challenge,
  challengeDevices as challengeDevicesAnswer,
  challengePage,
  deviceHash,
  kickRequest,
  listChallengesQuery,
  sendAnswer,
  sendChallengeRequest,
  verifyAnswer,
  verifyChallengeRequest,
} from './schemas.js';
import { sendChallenge } from './send.js';
import { verifyChallenge } from './verify.js';

/** The endpoints of challenges, in the order of the documentation. */
export const challengeEndpoints: readonly Endpoint[] = [
  endpoint(
    {
      method: 'get',
      path: '/v2/challenges',
      operationId: 'listChallenges',
      tag: 'Challenges',
      summary: 'List challenges',
      description: 'Sorted by creation date, most recent first.',
      query: listChallengesQuery,
      answer: challengePage,
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
      description: "The identifier is the one given to the front-end package's `onChallenge` callback.",
      params: challengeId,
      answer: challenge,
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
      description: 'A new code voids the one before. Once in 30 s, 5 times a challenge, 10 an hour to one address.',
      params: challengeId,
      body: sendChallengeRequest,
      answer: sendAnswer,
      errors: ['not_found', 'challenge_closed', 'evaluation_superseded', 'no_channel'],
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
      description: 'A wrong code is an answer, with `success: false`, and no error.',
      params: challengeId,
      body: verifyChallengeRequest,
      answer: verifyAnswer,
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
      summary: 'Mark a challenge completed',
      description:
        'After the user has been allowed to log in: the device and the address are trusted from now on. Without a code ' +
        'sent, your own verification counts.',
      params: challengeId,
      answer: success,
      errors: ['not_found', 'challenge_closed', 'evaluation_superseded', 'challenge_not_verified'],
    },
    ({ service, caller, params }) => completeChallenge(service, caller, params.id),
  ),
  endpoint(
    {
      method: 'get',
      path: '/v2/challenges/{id}/devices',
      operationId: 'challengeDevices',
      tag: 'Challenges',
      summary: "Retrieve a challenge's devices",
      description: 'The devices of the user that count towards the limit.',
      params: challengeId,
      answer: challengeDevicesAnswer,
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
      description: 'Detaches another device of the user, to make room for the challenged one.',
      params: challengeId,
      body: kickRequest,
      answer: deviceSuccess,
      errors: ['not_found', 'challenge_closed', 'evaluation_superseded', 'challenge_not_verified', 'no_channel'],
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
      description: 'Tells that the user sees the challenge. The first time, `challenge.viewed` is emitted.',
      params: challengeId,
      answer: challenge,
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
      description: 'Closes it, and trusts nothing.',
      params: challengeId,
      answer: success,
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
      description: "The newest fingerprint of a device of the challenge's user.",
      params: challengeAndDeviceId,
      answer: deviceHash,
      errors: ['not_found'],
    },
    ({ service, caller, params }) => challengeDeviceHash(service, caller, params.id, params.device),
  ),
];
