import { warnAboutDevice } from '../evaluation/request-warnings.js';
import { type Endpoint, endpoint } from '../http/endpoint.js';
import { deviceId } from '../http/schemas/params.js';
import { recogniseFingerprint } from '../linking/identify.js';
import { issueNonce } from '../proof/proof.js';
import { contactsOf } from '../users/request-contacts.js';
import { attach as attachDevice } from './attach.js';
import { detachDevice } from './detach.js';
import { mergeMetadata } from './merge-metadata.js';
import {
  attachAnswer,
  attachRequest,
  detachRequest,
  device,
  deviceSuccess,
  fingerprintAnswer,
  fingerprintRequest,
  metadataRequest,
  nonceAnswer,
  updateDeviceRequest,
} from './schemas.js';
import { updateDevice } from './update.js';

/** The endpoints of devices, of their fingerprints and of their proofs, in the order of the documentation. */
export const deviceEndpoints: readonly Endpoint[] = [
  endpoint(
    {
      method: 'post',
      path: '/v2/device/attach',
      operationId: 'attachDevice',
      tag: 'Devices',
      summary: 'Attach a device to a user',
      description:
        'For a user whom you have let in by your own means. Over the limits, the device waits for a challenge.',
      body: attachRequest,
      answer: attachAnswer,
      warns: true,
    },
    (request) => {
      const { service, caller, body } = request;
      warnAboutDevice(request, body);
      const { email: _email, phone: _phone, ...rest } = body;
      return attachDevice(service, caller, { ...rest, ...contactsOf(request, body) });
    },
  ),
  endpoint(
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
  ),
  endpoint(
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
    ({ service, caller }) => issueNonce(service, caller),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/device/{id}/detach',
      operationId: 'detachDevice',
      tag: 'Devices',
      summary: 'Detach a device',
      description: 'The device loses its trust, and its place in the limits is free.',
      params: deviceId,
      body: detachRequest,
      answer: deviceSuccess,
      errors: ['not_found'],
    },
    ({ service, caller, params, body }) => detachDevice(service, caller, params.id, body),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/device/{id}/metadata',
      operationId: 'mergeDeviceMetadata',
      tag: 'Devices',
      summary: "Change a device's metadata",
      params: deviceId,
      body: metadataRequest,
      answer: device,
      errors: ['not_found'],
    },
    ({ service, caller, params, body }) => mergeMetadata(service, caller, params.id, body.metadata),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/device/{id}/update',
      operationId: 'updateDevice',
      tag: 'Devices',
      summary: 'Block a device, attach it, or trust it for good',
      params: deviceId,
      body: updateDeviceRequest,
      answer: device,
      errors: ['not_found'],
    },
    ({ service, caller, params, body }) => updateDevice(service, caller, params.id, body),
  ),
];
