export { createApiKey, hashSecret, type KeyKind, type KeyMode } from './api-keys.js';
export { type ChallengeLink, linkLifetimeSeconds, signChallengeLink, verifyChallengeLink } from './challenge-link.js';
export { type DeviceToken, deviceTokenHours, signDeviceToken, verifyDeviceToken } from './device-token.js';
export { type DisownLink, readDisownLink, signDisownLink } from './disown-link.js';
export { type FormPurpose, formTokenOf, isFormTokenOf } from './form-token.js';
export type { LookupKeys } from './master-keys.js';
export { createNonce, expiryOf, type Nonce, nonceLifetimeSeconds, readNonce } from './nonces.js';
export { type ProofClaims, readSignedProof, type SignedProof } from './proof.js';
export { createVault, UnsealError, type Vault, type VaultOptions } from './vault.js';
