import { type ProjectRole, projectRoles } from './permissions.js';

/** Role that the provider's claim gives: in the installation, or in a project. */
export type GivenRole =
  | { readonly role: 'owner' }
  /** `project`: name or ID. */
  | { readonly role: ProjectRole; readonly project: string };

/** Value of the claim, with the role that it gives. */
export type RoleRule = GivenRole & {
  /** `*`: for everybody whose values give no role. */
  readonly value: string;
};

/** OpenID Connect provider with which members sign in. */
export interface ProviderOptions {
  /** Address below which the provider publishes its metadata. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Name on the button. */
  readonly name: string;
  /** Scopes of the request, separated by spaces. */
  readonly scope: string;
  /** Claim with the values that give roles. */
  readonly rolesClaim: string;
  /** Empty: roles are given on the dashboard. */
  readonly roles: readonly RoleRule[];
  /** Whether email addresses count as verified if the provider does not say whether they are. */
  readonly trustsEmail: boolean;
}

/** How members may sign in. */
export interface SignInOptions {
  readonly provider?: ProviderOptions;
  /** Whether members may sign in with a password. If not, only the emergency owner may. */
  readonly localPasswords: boolean;
  /** Email address of the owner who always signs in with a password, and never with the provider. */
  readonly emergencyOwner?: string;
}

/** Account, as needed to know how it may sign in. */
export interface SignInAccount {
  readonly email: string;
  /** Whether it is linked to an account of the provider. */
  readonly isLinked: boolean;
}

/** Returns whether an account signs in with a password. A linked account does not, so that the provider decides alone. */
export function usesPassword(
  { provider, localPasswords, emergencyOwner }: SignInOptions,
  { email, isLinked }: SignInAccount,
): boolean {
  if (email === emergencyOwner) return true;
  return localPasswords && !(provider && isLinked);
}

const projectRolePattern = projectRoles.join('|');
/** The last `=` that is followed by a role, because values such as `cn=team,dc=example` contain others. */
const rulePattern = new RegExp(`^(.+)=\\s*(?:(owner)|(${projectRolePattern})\\s+of\\s+(.+))$`, 's');

/** Reads rules such as `admins=owner; fraud=analyst of Shop`. Returns undefined if one is not in this form. */
export function parseRoleRules(text: string): readonly RoleRule[] | undefined {
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const parsed = parts.map(parseRule);
  const valid = parsed.filter((rule) => rule !== undefined);
  return valid.length === parsed.length ? valid : undefined;
}

function parseRule(text: string): RoleRule | undefined {
  const [, value = '', owner, named, project = ''] = rulePattern.exec(text) ?? [];
  if (owner) return { value: value.trim(), role: 'owner' };
  const role = projectRoles.find((each) => each === named);
  return role && { value: value.trim(), role, project: project.trim() };
}

/** Returns the roles that a claim gives. */
export function rolesGiven(rules: readonly RoleRule[], claim: unknown): readonly GivenRole[] {
  const values = new Set<unknown>(Array.isArray(claim) ? claim : [claim]);
  const matching = rules.filter(({ value }) => value !== '*' && values.has(value));
  return matching.length > 0 ? matching : rules.filter(({ value }) => value === '*');
}

/**
 * Returns a claim by its name. A name with dots that is not a claim itself is a path, such as `realm_access.roles`.
 */
export function claimNamed(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((found, part) => {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    return Object.entries(found).find(([key]) => key === part)?.[1];
  }, claims);
}
