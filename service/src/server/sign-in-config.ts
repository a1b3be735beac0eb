import { z } from 'zod';
import { parseRoleRules, type SignInOptions } from '../resources/admins/sign-in-options.js';
import { parseEmail } from '../resources/users/rules/contacts.js';
import { flag } from './variables.js';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

const issuer = z.string().refine(isIssuer, {
  error: 'must be an address that begins with https://, without a query (http:// only on this machine)',
});

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash, username } = new URL(text);
  // With the address of the discovery document itself, the issuer would not be compared.
  if (search || hash || username || pathname.includes('/.well-known/')) return false;
  return protocol === 'https:' || (protocol === 'http:' && loopback.includes(hostname));
}

const scope = z
  .string()
  .default('openid email')
  .refine((text) => text.split(/\s+/).includes('openid'), { error: 'must contain openid, such as "openid email"' });

const roles = z
  .string()
  .default('')
  .transform((text, context) => {
    const rules = parseRoleRules(text);
    if (rules) return rules;
    context.addIssue('must be values with roles, separated by semicolons, such as admins=owner; fraud=analyst of Shop');
    return z.NEVER;
  });

const emergencyOwner = z.string().transform((text, context) => {
  const email = parseEmail(text)?.display.toLowerCase();
  if (email !== undefined) return email;
  context.addIssue('must be an email address, such as ada@example.com');
  return z.NEVER;
});

/** Environment variables about signing in to the dashboard. */
export const signInVariables = {
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40, { error: 'can have at most 40 characters' }).default('single sign-on'),
  OIDC_SCOPE: scope,
  OIDC_ROLES_CLAIM: z.string().default('groups'),
  OIDC_ROLES: roles,
  OIDC_TRUST_EMAIL: flag(false),
  LOCAL_PASSWORDS: flag(true),
  EMERGENCY_OWNER: emergencyOwner.optional(),
};

export const signInGroup = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

const signInSchema = z.object(signInVariables);
type SignInVariables = z.output<typeof signInSchema>;

/** Returns errors for variables that exclude each other. */
export function signInConflicts(data: SignInVariables): string[] {
  const problems: string[] = [];
  if (!data.OIDC_ISSUER && data.OIDC_ROLES.length > 0) problems.push('OIDC_ROLES needs OIDC_ISSUER.');
  if (data.LOCAL_PASSWORDS) return problems;
  if (!data.OIDC_ISSUER) problems.push('LOCAL_PASSWORDS=false needs OIDC_ISSUER: otherwise nobody can sign in.');
  if (data.EMERGENCY_OWNER === undefined) {
    problems.push(
      'LOCAL_PASSWORDS=false needs EMERGENCY_OWNER: the email address of the owner who can sign in with a password when the provider fails.',
    );
  }
  return problems;
}

export function signInFrom(data: SignInVariables): SignInOptions {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, EMERGENCY_OWNER } = data;
  return {
    ...(OIDC_ISSUER &&
      OIDC_CLIENT_ID &&
      OIDC_CLIENT_SECRET && {
        provider: {
          issuer: OIDC_ISSUER,
          clientId: OIDC_CLIENT_ID,
          clientSecret: OIDC_CLIENT_SECRET,
          name: data.OIDC_NAME,
          scope: data.OIDC_SCOPE,
          rolesClaim: data.OIDC_ROLES_CLAIM,
          roles: data.OIDC_ROLES,
          trustsEmail: data.OIDC_TRUST_EMAIL,
        },
      }),
    localPasswords: data.LOCAL_PASSWORDS,
    ...(EMERGENCY_OWNER !== undefined && { emergencyOwner: EMERGENCY_OWNER }),
  };
}
