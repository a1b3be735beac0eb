import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

const { PORT = '3000', ORIGIN = `http://localhost:${PORT}` } = process.env;
const rpID = new URL(ORIGIN).hostname;
// These names are what both functions of the library call them.
const expected = { expectedOrigin: ORIGIN, expectedRPID: rpID, requireUserVerification: false };

/** Returns the options with which a browser creates a passkey for an account. */
export function registrationOptions({ email, passkeys }) {
  return generateRegistrationOptions({
    rpID,
    rpName: 'Shop',
    userName: email,
    excludeCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** Returns the new passkey of a browser's response. Throws if it is not one for this challenge and origin. */
export async function registeredPasskey(response, expectedChallenge) {
  const { registrationInfo } = await verifyRegistrationResponse({ response, expectedChallenge, ...expected });
  if (!registrationInfo) throw new Error('The passkey could not be verified.');
  return registrationInfo.credential;
}

/** Returns the passkeys of an account as a factor that Whorl asks for in place of a code. */
export function passkeyFactor({ passkeys }) {
  return {
    method: 'passkey',
    async begin() {
      const allowCredentials = passkeys.map(({ id, transports }) => ({ id, transports }));
      const options = await generateAuthenticationOptions({ rpID, allowCredentials, userVerification: 'preferred' });
      return { options, state: options.challenge };
    },
    async verify(response, expectedChallenge) {
      const credential = passkeys.find(({ id }) => id === response.id);
      if (!credential) return false;
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge,
        credential,
        ...expected,
      });
      if (verified) credential.counter = authenticationInfo.newCounter;
      return verified;
    },
  };
}
