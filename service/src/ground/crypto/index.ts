export { createApiKey, hashSecret, type KeyKind, type KeyMode } from './api-keys.js';
export { signChallengeLink, verifyChallengeLink } from './challenge-link.js';
export { type DeviceToken, deviceTokenHours, signDeviceToken, verifyDeviceToken } from './device-token.js';
export {
  type DisownLink,
  readDisownLink,
  readNoticeLink,
  signDisownLink,
  signNoticeLink,
} from './disown-link.js';
export { formTokenOf, isFormTokenOf } from './form-token.js';
export type { LookupKeys } from './master-keys.js';
export { createNonce, expiryOf, readNonce } from './nonces.js';
export { readSignedProof } from './proof.js';
export { isCompressed } from './sealing.js';
export { createVault, UnsealError, type Vault } from './vault.js';
