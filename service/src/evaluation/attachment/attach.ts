import { type AttachRequest, type AttachResponse, reasons } from 'whorl/wire';
import { ApiError } from '../../ground/errors.js';
import { readProof } from '../../recognition/proof/proof.js';
import { challengeUrlOf } from '../../resources/challenges/link.js';
import { loadDeviceLimit } from '../../resources/devices/present.js';
import type { Settings } from '../../resources/projects/rules/settings.js';
import { type Caller, inTransaction, type Service } from '../../resources/service.js';
import { judgeRequest } from '../evaluate.js';
import { recordEvaluation } from '../record.js';
import { isRaised } from '../rules/policy.js';
import { hasTrait } from '../rules/reasons/table.js';
import { saveEffects } from '../save.js';
import { tokenOfDevice } from '../tokens.js';

const action = 'attach';

/**
 * The customer knows who it is by other means, so that only account sharing, a block, and what the user said prevent the
 * attachment. Nothing that strangers do counts, such as their wrong passwords.
 */
const reportedOnly = reasons.filter((reason) => !hasTrait(reason, 'enforced_on_attach'));

function settingsOfAttachment(settings: Settings): Settings {
  const raised = reportedOnly.filter((reason) => isRaised(reason, { action, settings }));
  const login = {
    ...settings.policy.login,
    ...Object.fromEntries(raised.map((reason) => [reason, 'report' as const])),
  };
  return { ...settings, policy: { ...settings.policy, login } };
}

/**
 * Attaches a device to a user whom the customer has authenticated by other means (`POST /v2/device/attach`). If a limit
 * is exceeded, the device stays pending until its challenge is completed.
 *
 * @throws {ApiError} `forbidden` if the device, the user or the address is blocked.
 */
export async function attach(service: Service, caller: Caller, request: AttachRequest): Promise<AttachResponse> {
  const attaching = { ...caller, settings: settingsOfAttachment(caller.settings) };
  const proof = await readProof(service, caller, request);
  const { evaluation, limit, isBlocked } = await inTransaction(service, attaching, async (work) => {
    const judged = await judgeRequest(work, { ...request, action }, proof);
    const effects = await saveEffects(work, judged);
    return {
      evaluation: await recordEvaluation(work, judged, effects),
      limit: await loadDeviceLimit(work.db, caller, effects.userId, effects.deviceId),
      isBlocked: judged.judgement.verdict === 'deny',
    };
  });
  const { user_id, device_id, fingerprint_id, challenge_id } = evaluation;
  // Thrown after the transaction, so that the denied evaluation is recorded.
  if (isBlocked || user_id === undefined || device_id === undefined) {
    throw new ApiError('forbidden', { detail: 'The device, the user or the address is blocked.' });
  }
  return {
    success: true,
    user_id,
    device_id,
    fingerprint_id,
    attached_devices: limit.overall,
    limit,
    ...(challenge_id === undefined ? {} : { challenge_id }),
    ...challengeUrlOf(service, caller, challenge_id),
    device_token: tokenOfDevice(service, caller, device_id),
  };
}
