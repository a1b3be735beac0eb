import { endpoint } from '../../http/endpoint.js';
import { nonceAnswer } from '../../http/schemas/answers.js';
import { giveNonce } from '../proof.js';

export const nonce = endpoint(
  {
    method: 'post',
    path: '/v2/device/nonce',
    operationId: 'giveNonce',
    tag: 'Devices',
    summary: 'Get a nonce for a proof',
    description:
      'What `getProof` in the page is called with. Good for one evaluation or attachment with a key of the same ' +
      'project and mode, within 5 minutes.',
    keys: 'any',
    answer: nonceAnswer,
  },
  ({ service, caller }) => giveNonce(service, caller),
);
