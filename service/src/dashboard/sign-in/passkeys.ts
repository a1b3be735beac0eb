import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { hashSecret } from '../../ground/crypto/index.js';
import { saveCeremony, takeCeremony } from '../../resources/admins/admin-sessions-queries.js';
import { listPasskeyRows, type PasskeyRow, usePasskey } from '../../resources/admins/factors-queries.js';
import type { Service } from '../../resources/service.js';

const rpName = 'Whorl';
const maxResponseLength = 16 * 1024;

/** Where passkeys are valid: the host and origin of the public URL (WebAuthn, section 5.1.2). */
function relyingParty({ publicUrl }: Pick<Service, 'publicUrl'>) {
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, origin };
}

const transport = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);
const knownTransports = z.array(z.unknown()).transform((list) =>
  list.flatMap((each) => {
    const { data } = transport.safeParse(each);
    return data ? [data] : [];
  }),
);
const common = {
  id: z.string(),
  rawId: z.string(),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
};
const registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: knownTransports.optional().transform((list) => list ?? []),
  }),
});
const authentication = z.object({
  ...common,
  response: z.object({ clientDataJSON: z.string(), authenticatorData: z.string(), signature: z.string() }),
});

/** Session whose page asks the browser for a passkey. */
export interface PasskeyOwner {
  readonly token: string;
  readonly admin: { readonly id: string; readonly email: string };
}

/** Returns the options with which a browser creates a passkey, as JSON. They work once, in this session. */
export async function registrationOptions(service: Service, { token, admin }: PasskeyOwner): Promise<string> {
  const known = await listPasskeyRows(service.db, admin.id);
  const options = await generateRegistrationOptions({
    rpName,
    rpID: relyingParty(service).rpID,
    userName: admin.email,
    userID: new TextEncoder().encode(admin.id),
    attestationType: 'none',
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
  await saveCeremony(service.db, hashSecret(token), options.challenge);
  return JSON.stringify(options);
}

export type NewPasskey = Pick<PasskeyRow, 'id' | 'public_key' | 'counter' | 'transports'>;

/** Returns the passkey that a browser has created; undefined if its response is not valid. */
export async function readRegistration(
  service: Service,
  { token }: PasskeyOwner,
  posted: string | null,
): Promise<NewPasskey | undefined> {
  const response: RegistrationResponseJSON | undefined = parse(registration, posted);
  const expectedChallenge = response && (await takeCeremony(service.db, hashSecret(token)));
  if (!response || expectedChallenge === undefined) return undefined;
  const { rpID, origin } = relyingParty(service);
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { id, publicKey, counter } = result.registrationInfo.credential;
  const { transports = [] } = response.response;
  return { id, public_key: Buffer.from(publicKey).toString('base64url'), counter, transports };
}

/** Returns the options with which a browser uses a passkey of the account, as JSON; undefined if it has none. */
export async function authenticationOptions(
  service: Service,
  { token, admin }: PasskeyOwner,
): Promise<string | undefined> {
  const known = await listPasskeyRows(service.db, admin.id);
  if (known.length === 0) return undefined;
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(service).rpID,
    allowCredentials: known.map(descriptorOf),
    userVerification: 'preferred',
  });
  await saveCeremony(service.db, hashSecret(token), options.challenge);
  return JSON.stringify(options);
}

/** Returns whether a browser has proven a passkey of the account, for the last options of this session. */
export async function isPasskeyProven(
  service: Service,
  { token, admin }: PasskeyOwner,
  posted: string | null,
): Promise<boolean> {
  const response: AuthenticationResponseJSON | undefined = parse(authentication, posted);
  const expectedChallenge = response && (await takeCeremony(service.db, hashSecret(token)));
  if (!response || expectedChallenge === undefined) return false;
  const passkey = (await listPasskeyRows(service.db, admin.id)).find(({ id }) => id === response.id);
  if (!passkey) return false;
  const { rpID, origin } = relyingParty(service);
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
    requireUserVerification: false,
  }).catch(() => undefined);
  if (!result?.verified) return false;
  const counter = result.authenticationInfo.newCounter;
  return usePasskey(service.db, { id: passkey.id, counter, before: passkey.counter, now: service.now() });
}

function descriptorOf({ id, transports }: PasskeyRow) {
  return { id, transports: knownTransports.parse(transports) };
}

function parse<Schema extends z.ZodType>(schema: Schema, posted: string | null): z.output<Schema> | undefined {
  if (!posted || posted.length > maxResponseLength) return undefined;
  try {
    return schema.safeParse(JSON.parse(posted)).data;
  } catch {
    return undefined;
  }
}
