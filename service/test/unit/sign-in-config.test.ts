import { describe, expect, test } from 'vitest';
import { claimNamed, parseRoleRules, rolesGiven, usesPassword } from '../../src/resources/admins/sign-in-options.js';
import { readConfig } from '../../src/server/config.js';

const provider = {
  OIDC_ISSUER: 'https://login.example/realms/acme',
  OIDC_CLIENT_ID: 'whorl',
  OIDC_CLIENT_SECRET: 'secret of the client',
};

describe('the configuration of signing in', () => {
  test('has defaults', () => {
    expect(readConfig(provider).signIn).toEqual({
      localPasswords: true,
      provider: {
        issuer: 'https://login.example/realms/acme',
        clientId: 'whorl',
        clientSecret: 'secret of the client',
        name: 'single sign-on',
        scope: 'openid email',
        rolesClaim: 'groups',
        roles: [],
        trustsEmail: false,
      },
    });
  });

  test('reads all variables', () => {
    const environment = {
      ...provider,
      OIDC_NAME: 'Acme',
      OIDC_SCOPE: 'openid email groups',
      OIDC_ROLES_CLAIM: 'realm_access.roles',
      OIDC_ROLES: 'admins=owner; cn=fraud,dc=acme=analyst of Shop = two;\n*=viewer of Shop',
      OIDC_TRUST_EMAIL: 'true',
      LOCAL_PASSWORDS: 'false',
      EMERGENCY_OWNER: 'Ada@Example.com',
    };
    expect(readConfig(environment).signIn).toMatchObject({
      localPasswords: false,
      emergencyOwner: 'ada@example.com',
      provider: {
        name: 'Acme',
        roles: [
          { value: 'admins', role: 'owner' },
          { value: 'cn=fraud,dc=acme', role: 'analyst', project: 'Shop = two' },
          { value: '*', role: 'viewer', project: 'Shop' },
        ],
        trustsEmail: true,
      },
    });
  });

  test.each([
    [{ ...provider, OIDC_ISSUER: 'http://login.example' }, 'OIDC_ISSUER must be an address that begins with https://'],
    [{ ...provider, OIDC_ISSUER: 'https://login.example/.well-known/openid-configuration' }, 'OIDC_ISSUER must be'],
    [
      { OIDC_ISSUER: provider.OIDC_ISSUER },
      'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together with OIDC_ISSUER.',
    ],
    [{ ...provider, OIDC_SCOPE: 'email' }, 'OIDC_SCOPE must contain openid'],
    [{ ...provider, OIDC_ROLES: 'admins' }, 'OIDC_ROLES must be values with roles'],
    [{ ...provider, OIDC_ROLES: 'fraud=analyst' }, 'OIDC_ROLES must be values with roles'],
    [{ OIDC_ROLES: 'admins=owner' }, 'OIDC_ROLES needs OIDC_ISSUER.'],
    [{ LOCAL_PASSWORDS: 'false', EMERGENCY_OWNER: 'ada@example.com' }, 'LOCAL_PASSWORDS=false needs OIDC_ISSUER'],
    [{ ...provider, LOCAL_PASSWORDS: 'false' }, 'LOCAL_PASSWORDS=false needs EMERGENCY_OWNER'],
    [{ EMERGENCY_OWNER: 'ada' }, 'EMERGENCY_OWNER must be an email address'],
  ])('explains the error in %j', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence);
  });

  test('accepts http only on this machine', () => {
    expect(readConfig({ ...provider, OIDC_ISSUER: 'http://127.0.0.1:9000' }).signIn.provider?.issuer).toBe(
      'http://127.0.0.1:9000',
    );
  });
});

describe('roles of a claim', () => {
  const rules = parseRoleRules('admins=owner; fraud=analyst of Shop; *=viewer of Shop') ?? [];

  test.each([
    [
      ['admins', 'fraud'],
      ['owner', 'analyst'],
    ],
    ['fraud', ['analyst']],
    [['others'], ['viewer']],
    [undefined, ['viewer']],
    [['*'], ['viewer']],
    [{ admins: true }, ['viewer']],
  ])('of %j are %j', (claim, expected) => {
    expect(rolesGiven(rules, claim).map(({ role }) => role)).toEqual(expected);
  });

  test('are none without a default', () => {
    expect(rolesGiven(parseRoleRules('admins=owner') ?? [], ['others'])).toEqual([]);
  });

  test('are found by name, or by path', () => {
    const claims = { 'https://acme.example/roles': ['a'], realm_access: { roles: ['b'] } };
    expect(claimNamed(claims, 'https://acme.example/roles')).toEqual(['a']);
    expect(claimNamed(claims, 'realm_access.roles')).toEqual(['b']);
    expect([claimNamed(claims, 'realm_access.constructor'), claimNamed(claims, 'toString')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

test.each([
  [true, false, 'a@example.com', true],
  [true, true, 'a@example.com', false],
  [false, false, 'a@example.com', false],
  [false, true, 'emergency@example.com', true],
])('passwords %s, linked %s: %s signs in with a password: %s', (localPasswords, isLinked, email, expected) => {
  const signIn = { ...readConfig(provider).signIn, localPasswords, emergencyOwner: 'emergency@example.com' };
  expect(usesPassword(signIn, { email, isLinked })).toBe(expected);
});
