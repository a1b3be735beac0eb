import { attach as attachDevice } from '../../evaluation/attachment/attach.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { deviceId } from '../../http/schemas/params.js';
import { recogniseFingerprint } from '../../recognition/linking/identify.js';
import { issueNonce } from '../../recognition/proof/proof.js';
import { originOfKey } from '../../resources/audit/audit.js';
import { detachDevice } from '../../resources/devices/detach.js';
import { disownDevice } from '../../resources/devices/disown.js';
import { listHardwareDevices } from '../../resources/devices/hardware.js';
import { mergeMetadata } from '../../resources/devices/merge-metadata.js';
import { updateDevice } from '../../resources/devices/update.js';
import { contactsOf, warnAboutDevice } from '../request-warnings.js';
import { anyFingerprintResponse, fingerprintRequest, nonceRequest, nonceResponse } from './recognition-schemas.js';
import {
  attachRequest,
  attachResponse,
  detachRequest,
  device,
  devicePage,
  deviceSuccess,
  devicesQuery,
  disownRequest,
  metadataRequest,
  updateDeviceRequest,
} from './schemas.js';

/** Endpoints for devices, fingerprints and proofs, in the order of the documentation. */
export const deviceEndpoints: readonly Endpoint[] = [
  endpoint(
    {
      method: 'post',
      path: '/v2/device/attach',
      operationId: 'attachDevice',
      tag: 'Devices',
      summary: 'Attach a device to a user',
      description:
        'Attaches a device to a user whom you have authenticated by other means. If a device limit is exceeded, too many ' +
        'devices are active at once, or the account is compromised, the device stays pending until its challenge is ' +
        'completed. The other reasons of the policy are only reported.',
      body: attachRequest,
      response: attachResponse,
      warns: true,
    },
    async (request) => {
      const { service, caller, body } = request;
      await warnAboutDevice(request, body);
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
      description:
        'Returns the browser that a fingerprint belongs to. Needs no user and returns no verdict. With a publishable key, ' +
        'returns only an ID of exactly this fingerprint, and compares it with no other.',
      keys: 'any',
      body: fingerprintRequest,
      response: anyFingerprintResponse,
    },
    ({ service, caller, body }) => recogniseFingerprint(service, caller, body),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/device/nonce',
      operationId: 'giveNonce',
      tag: 'Devices',
      summary: 'Create a nonce for a proof',
      description:
        'Returns a nonce to pass to `getProof` in the page. It is valid for 5 minutes, for one evaluation or attachment ' +
        'with a key of the same project and mode. Nothing is stored, so an `Idempotency-Key` is ignored. With a secret ' +
        "key, requests do not count against the key's rate limit: they have limits of their own, one for each visitor " +
        'whose address is sent.',
      keys: 'any',
      ignoredWithPublishableKey: ['ip'],
      body: nonceRequest,
      response: nonceResponse,
      onBehalfOfVisitors: { name: 'nonce', perSecond: 5, burst: 30 },
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
      description: 'Signs a device out. It is no longer trusted and no longer counts towards the device limits.',
      params: deviceId,
      body: detachRequest,
      response: deviceSuccess,
      errors: ['not_found'],
    },
    ({ service, caller, address, params, body }) =>
      detachDevice(service, caller, params.id, body, originOfKey(caller, address)),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/device/{id}/disown',
      operationId: 'disownDevice',
      tag: 'Devices',
      summary: 'Record that the user does not recognise a device',
      description:
        'For "This was not me" on a page of your application. Signs the device out and blocks it, closes all open ' +
        'challenges of the user, and emits `device.disowned`. Until a `password_reset` is allowed, at most for 30 days, ' +
        'evaluations of the user have the reason `account_compromised`. Repeating the call changes nothing.',
      params: deviceId,
      body: disownRequest,
      response: deviceSuccess,
      errors: ['not_found'],
    },
    ({ service, caller, address, params, body }) =>
      disownDevice(service, caller, params.id, body, originOfKey(caller, address)),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/device/{id}/metadata',
      operationId: 'mergeDeviceMetadata',
      tag: 'Devices',
      summary: "Update a device's metadata",
      description: 'Merges metadata into a device key by key. Set a key to null to remove it.',
      params: deviceId,
      body: metadataRequest,
      response: device,
      errors: ['not_found'],
    },
    ({ service, caller, address, params, body }) =>
      mergeMetadata(service, caller, params.id, {
        changes: body.metadata,
        origin: originOfKey(caller, address),
      }),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/device/{id}/update',
      operationId: 'updateDevice',
      tag: 'Devices',
      summary: 'Update a device',
      description:
        'Blocks, attaches, whitelists or names a device. A whitelisted device is always trusted. Blocking removes all trust, ' +
        'and attaching the device again does not restore it.',
      params: deviceId,
      body: updateDeviceRequest,
      response: device,
      errors: ['not_found'],
    },
    ({ service, caller, address, params, body }) =>
      updateDevice(service, caller, params.id, body, originOfKey(caller, address)),
  ),
  endpoint(
    {
      method: 'get',
      path: '/v2/devices',
      operationId: 'listDevices',
      readsReplica: true,
      tag: 'Devices',
      summary: 'List the devices with the same hardware',
      description:
        'Returns the devices of all users whose browsers were seen with a `hardware_id`, sorted by creation date, most ' +
        'recent first. Contains the 1,000 most recently seen browsers, with at most 100 devices each.',
      query: devicesQuery,
      response: devicePage,
    },
    ({ service, caller, query }) => listHardwareDevices(service, caller, query),
  ),
];
