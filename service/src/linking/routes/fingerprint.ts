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
    description: 'Returns the browser that a fingerprint belongs to, without a user or a verdict.',
    keys: 'any',
    body: fingerprintRequest,
    answer: fingerprintAnswer,
  },
  ({ service, caller, body }) => recogniseFingerprint(service, caller, body),
);
