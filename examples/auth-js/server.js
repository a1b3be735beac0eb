import { randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { ExpressAuth } from '@auth/express';
import Credentials from '@auth/express/providers/credentials';
import express from 'express';
import { forwardedFor, whorlAuthJs } from 'whorl/auth-js';
import { whorlExpress } from 'whorl/express';
import { Whorl } from 'whorl/server';

const { AUTH_SECRET = randomUUID(), WHORL_API_SECRET, WHORL_URL, PORT = '3000' } = process.env;
const client = new Whorl({ apiSecret: WHORL_API_SECRET, baseUrl: WHORL_URL });
// A browser that was allowed in the last day can sign in while the service is down.
const whorl = whorlExpress({ whorl: client, whenUnavailable: 'cached' });
const signIns = whorlAuthJs({
  whorl: client,
  whenUnavailable: 'cached',
  page: '/',
  clientAddress: forwardedFor(1),
  attempt: ({ user: { id, email } }) => ({ action: 'login', user: id, email }),
});

/** Accounts by email address. An application keeps them in its database. */
const accounts = new Map();
/** IDs of sign-ups that wait for a code. After it, the page sends the same sign-up again. */
const newIds = new Map();

const config = {
  secret: AUTH_SECRET,
  trustHost: true,
  providers: [
    Credentials({
      credentials: { email: {}, password: { type: 'password' } },
      async authorize(credentials, request) {
        const [email, password] = [String(credentials.email), String(credentials.password)];
        const account = accounts.get(email);
        if (account && timingSafeEqual(hash(password, account.salt), account.hash)) return account;
        await signIns.reportFailure(request, credentials, { action: 'login', user: account?.id ?? email });
        return null;
      },
    }),
  ],
};

const app = express();
app.use(express.json());
app.use(express.static(join(import.meta.dirname, 'dist')));
app.use('/whorl', whorl.routes());
app.use('/auth', (request, response, next) => {
  // Auth.js reads headers only. Behind a proxy of your own, set Express's "trust proxy" and leave this line out.
  request.headers['x-forwarded-for'] = request.ip;
  return ExpressAuth(signIns.protect(request, config))(request, response, next);
});

app.post('/sign-up', async (request, response) => {
  const [email, password] = [String(request.body.email), String(request.body.password)];
  if (accounts.has(email)) return response.status(409).json({ detail: 'There is an account with this address.' });
  const id = newIds.get(email) ?? randomUUID();
  newIds.set(email, id);
  const { continues } = await whorl.decide(request, response, { action: 'signup', user: id, email });
  if (!continues) return;
  newIds.delete(email);
  const salt = randomUUID();
  accounts.set(email, { id, email, salt, hash: hash(password, salt) });
  response.json({ email });
});

function hash(password, salt) {
  return scryptSync(password, salt, 32);
}

app.listen(Number(PORT), () => console.log(`http://localhost:${PORT}`));
