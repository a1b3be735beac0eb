import type {
  Access,
  AttachAnswer,
  Challenge,
  ChallengeDevices,
  ChallengeSummary,
  ConsumeAnswer,
  Device,
  DeviceHash,
  DeviceSuccess,
  Evaluation,
  EvaluationRecord,
  FingerprintAnswer,
  ImportResult,
  ImportUsersAnswer,
  NonceAnswer,
  SendAnswer,
  Success,
  UpdateUserAnswer,
  VerifyAnswer,
} from '../../wire/index.js';
import { isNumber, isObject, isText, isTruth, isVerdict, listOf, withFields } from '../checks.js';

export const isSuccess = withFields<Success>({ success: isTruth });
export const isDevice = withFields<Device>({ _id: isText, status: isText });
export const isDeviceSuccess = withFields<DeviceSuccess>({ success: isTruth, device: isDevice });
export const isUpdatedUser = withFields<UpdateUserAnswer>({ _id: isText, external_id: isText });
export const isImported = withFields<ImportUsersAnswer>({
  results: listOf(withFields<ImportResult>({ id: isText, status: isText })),
});
export const isAccess = withFields<Access>({ _id: isText, verdict: isVerdict });

export const isChallengeSummary = withFields<ChallengeSummary>({ _id: isText, status: isText, user: isObject });
export const isChallenge = withFields<Challenge>({ _id: isText, status: isText, user: isObject });
export const isSent = withFields<SendAnswer>({ challenge_id: isText });
export const isVerified = withFields<VerifyAnswer>({ success: isTruth });
export const isChallengeDevices = withFields<ChallengeDevices>({ data: listOf(isDevice) });
export const isDeviceHash = withFields<DeviceHash>({ device_id: isText, hash: isText });

export const isEvaluation = withFields<Evaluation>({
  verdict: isVerdict,
  fingerprint_id: isText,
  evaluation_id: isText,
  reasons: listOf((reason): reason is string => typeof reason === 'string'),
});
export const isEvaluationRecord = withFields<EvaluationRecord>({ evaluation_id: isText, verdict: isVerdict });
export const isConsumed = withFields<ConsumeAnswer>({ evaluation_id: isText, verdict: isVerdict });
export const isAttached = withFields<AttachAnswer>({ success: isTruth, device_id: isText, fingerprint_id: isText });
export const isFingerprintAnswer = withFields<FingerprintAnswer>({ fingerprint_id: isText, confidence: isNumber });
export const isNonce = withFields<NonceAnswer>({ nonce: isText, expires_at: isText });
