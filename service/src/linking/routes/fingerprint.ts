import { endpoint } from '../../http/endpoint.js';
import { fingerprintAnswer } from '../../http/schemas/answers.js';
import { fingerprintRequest } from '../../http/schemas/requests.js';
import { recogniseFingerprint } from '../identify.js';

export const fingerprint = endpoint(
  {
    method: 'post',
    path: '/v2/device/fingerprint',
    operationId: 'recogniseFingerprint',
    tag: 'Devices',
    summary: 'Recognise a fingerprint',
    description: 'Tells which browser a fingerprint is of, without a user and without a verdict.',
    keys: 'any',
    body: fingerprintRequest,
    answer: fingerprintAnswer,
  },
  ({ service, caller, body }) => recogniseFingerprint(service, caller, body),
);
