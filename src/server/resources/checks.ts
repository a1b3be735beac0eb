import type {
  Access,
  AttachResponse,
  Challenge,
  ChallengeDevices,
  ChallengeSummary,
  ConsumeResponse,
  Device,
  DeviceHash,
  DeviceSuccess,
  Evaluation,
  EvaluationRecord,
  FingerprintResponse,
  ImportResult,
  ImportUsersResponse,
  NonceResponse,
  SendResponse,
  Success,
  UpdateUserResponse,
  User,
  VerifyResponse,
} from '../../wire/index.js';
import { isNumber, isObject, isText, isTruth, isVerdict, listOf, withFields } from '../checks.js';

export const isSuccess = withFields<Success>({ success: isTruth });
export const isDevice = withFields<Device>({ _id: isText, status: isText });
export const isDeviceSuccess = withFields<DeviceSuccess>({ success: isTruth, device: isDevice });
export const isUser = withFields<User>({ _id: isText, external_id: isText });
export const isUpdatedUser = withFields<UpdateUserResponse>({ _id: isText, external_id: isText });
export const isImported = withFields<ImportUsersResponse>({
  results: listOf(withFields<ImportResult>({ id: isText, status: isText })),
});
export const isAccess = withFields<Access>({ _id: isText, verdict: isVerdict });

export const isChallengeSummary = withFields<ChallengeSummary>({ _id: isText, status: isText, user: isObject });
export const isChallenge = withFields<Challenge>({ _id: isText, status: isText, user: isObject });
export const isSent = withFields<SendResponse>({ challenge_id: isText });
export const isVerified = withFields<VerifyResponse>({ success: isTruth });
export const isChallengeDevices = withFields<ChallengeDevices>({ data: listOf(isDevice) });
export const isDeviceHash = withFields<DeviceHash>({ device_id: isText, hash: isText });

export const isEvaluation = withFields<Evaluation>({
  verdict: isVerdict,
  fingerprint_id: isText,
  evaluation_id: isText,
  reasons: listOf((reason): reason is string => typeof reason === 'string'),
});
export const isEvaluationRecord = withFields<EvaluationRecord>({ evaluation_id: isText, verdict: isVerdict });
export const isConsumed = withFields<ConsumeResponse>({ evaluation_id: isText, verdict: isVerdict });
export const isAttached = withFields<AttachResponse>({ success: isTruth, device_id: isText, fingerprint_id: isText });
export const isFingerprintResponse = withFields<FingerprintResponse>({ fingerprint_id: isText, confidence: isNumber });
export const isNonce = withFields<NonceResponse>({ nonce: isText, expires_at: isText });
