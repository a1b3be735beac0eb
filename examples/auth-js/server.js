import { randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { CredentialsSignin, ExpressAuth } from '@auth/express';
import Credentials from '@auth/express/providers/credentials';
import express from 'express';
import { forwardedFor, whorlAuthJs } from 'whorl/auth-js';
import { whorlExpress } from 'whorl/express';
import { Whorl } from 'whorl/server';

const { AUTH_SECRET = randomUUID(), WHORL_API_SECRET, WHORL_URL, PORT = '3000' } = process.env;
const client = new Whorl({ apiSecret: WHORL_API_SECRET, baseUrl: WHORL_URL });
const whorl = whorlAuthJs({
  whorl: client,
  // A browser that was allowed in the last day can sign in while the service is down.
  whenUnavailable: 'cached',
  page: '/',
  clientAddress: forwardedFor(1),
  attempt: ({ user: { id, email } }) => ({ action: accounts.has(email) ? 'login' : 'signup', user: id, email }),
  failedAttempt: ({ email, button }) =>
    button === 'sign-up' ? null : { action: 'login', user: accounts.get(email)?.id ?? String(email) },
  beforeSession: ({ user, credentials }) => credentials?.button === 'sign-up' && createAccount(user),
});

/** Accounts by email address. An application keeps them in its database. */
const accounts = new Map();
/** IDs of sign-ups that wait for a code. After it, the page sends the same sign-up again. */
const newIds = new Map();

class AddressTaken extends CredentialsSignin {
  code = 'address_taken';
}

const config = {
  secret: AUTH_SECRET,
  trustHost: true,
  providers: [
    Credentials({
      credentials: { email: {}, password: { type: 'password' }, button: {} },
      authorize(credentials) {
        const [email, password] = [String(credentials.email), String(credentials.password)];
        const account = accounts.get(email);
        if (credentials.button === 'sign-up') {
          if (account) throw new AddressTaken();
          return newAccount(email, password);
        }
        const isRight = account && timingSafeEqual(hash(password, account.salt), account.hash);
        return isRight ? account : null;
      },
    }),
  ],
};

function newAccount(email, password) {
  const id = newIds.get(email) ?? randomUUID();
  newIds.set(email, id);
  const salt = randomUUID();
  return { id, email, salt, hash: hash(password, salt) };
}

/** If it throws, there is no session. */
function createAccount(account) {
  if (accounts.has(account.email)) throw new Error('Somebody else has just created this account.');
  accounts.set(account.email, account);
  newIds.delete(account.email);
}

function hash(password, salt) {
  return scryptSync(password, salt, 32);
}

const app = express();
app.use(express.static(join(import.meta.dirname, 'dist')));
app.use('/whorl', whorlExpress({ whorl: client, whenUnavailable: 'cached' }).routes());
app.use('/auth', (request, response, next) => {
  // Auth.js reads headers only. Behind a proxy of your own, leave this line out, and set trustedProxies: 1 above.
  request.headers['x-forwarded-for'] = request.socket.remoteAddress;
  return ExpressAuth(whorl.protect(request, config, response))(request, response, next);
});
app.listen(Number(PORT), () => console.log(`http://localhost:${PORT}`));
