import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** Stand-in for a realm of Keycloak (https://www.keycloak.org/securing-apps/oidc-layers). Its only user is signed in. */
export interface Realm {
  /** `http://127.0.0.1:…/realms/shop` */
  readonly issuer: string;
  close(): Promise<void>;
}

/** `email` is the address of the user that the browser is signed in as. */
export async function startRealm(email: string): Promise<Realm> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const nonces = new Map<string, string | undefined>();
  const realm = { issuer: '', close: async () => {} };
  const claims = { sub: `id of ${email}`, email, email_verified: true, name: 'Ann' };
  const app = new Hono().basePath('/realms/shop');
  app.get('/.well-known/openid-configuration', (c) => {
    const path = (name: string) => `${realm.issuer}/protocol/openid-connect/${name}`;
    return c.json({
      issuer: realm.issuer,
      authorization_endpoint: path('auth'),
      token_endpoint: path('token'),
      userinfo_endpoint: path('userinfo'),
      jwks_uri: path('certs'),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    });
  });
  app.get('/protocol/openid-connect/auth', (c) => {
    const { redirect_uri = '', state = '', nonce } = c.req.query();
    const code = `code ${nonces.size}`;
    nonces.set(code, nonce);
    const back = new URL(redirect_uri);
    back.search = new URLSearchParams({ code, ...(state && { state }), iss: realm.issuer }).toString();
    return c.redirect(back.href);
  });
  app.post('/protocol/openid-connect/token', async (c) => {
    const nonce = nonces.get(String((await c.req.parseBody()).code));
    const id_token = await new SignJWT({ ...claims, ...(nonce && { nonce }) })
      .setProtectedHeader({ alg: 'RS256', kid: 'key' })
      .setIssuer(realm.issuer)
      .setAudience('shop')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
    return c.json({ access_token: 'token', token_type: 'Bearer', expires_in: 300, id_token });
  });
  app.get('/protocol/openid-connect/userinfo', (c) => c.json(claims));
  app.get('/protocol/openid-connect/certs', async (c) =>
    c.json({ keys: [{ ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256', use: 'sig' }] }),
  );
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }) as Server;
  await once(server, 'listening');
  realm.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/shop`;
  realm.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return realm;
}
