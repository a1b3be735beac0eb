import { randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import express from 'express';
import session from 'express-session';
import { whorlExpress } from 'whorl/express';
import { Whorl } from 'whorl/server';
import { passkeyFactor, registeredPasskey, registrationOptions } from './passkeys.js';

const { SESSION_SECRET = randomUUID(), WHORL_API_SECRET, WHORL_URL, PORT = '3000' } = process.env;

/** Accounts by email address. An application keeps them in its database, with their passkeys. */
const accounts = new Map();
const accountById = (wanted) => [...accounts.values()].find(({ id }) => id === wanted);

const whorl = whorlExpress({
  whorl: new Whorl({ apiSecret: WHORL_API_SECRET, baseUrl: WHORL_URL }),
  // A browser that was allowed in the last day can log in while the service is down.
  whenUnavailable: 'cached',
  // Users with a passkey are asked for it. Others get a code.
  challengeWith: ({ user }) => {
    const account = accountById(user);
    return account?.passkeys.length ? passkeyFactor(account) : undefined;
  },
});

/** The ID that an account will have. After a code, the page sends the same sign-up again. */
const newIds = new Map();
const newIdOf = (email) => newIds.get(email) ?? newIds.set(email, randomUUID()).get(email);

const app = express();
app.use(express.json());
app.use(express.static(join(import.meta.dirname, 'dist')));
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false, cookie: { sameSite: 'lax' } }));
app.use('/whorl', whorl.routes());

app.post('/sign-up', async (request, response) => {
  const { email, password } = request.body;
  if (accounts.has(email)) return response.status(409).json({ detail: 'There is an account with this address.' });
  const account = { id: newIdOf(email), email, salt: randomUUID(), passkeys: [] };
  const { continues } = await whorl.decide(request, response, { action: 'signup', user: account.id, email });
  if (!continues) return;
  accounts.set(email, { ...account, hash: hash(password, account.salt) });
  startSession(request, response, accounts.get(email));
});

app.post('/login', async (request, response) => {
  const { email, password } = request.body;
  const account = accounts.get(email);
  if (!account || !timingSafeEqual(hash(password, account.salt), account.hash)) {
    const { continues } = await whorl.reportFailure(request, response, { action: 'login', user: account?.id ?? email });
    return continues && response.status(401).json({ detail: 'Wrong email address or password.' });
  }
  // With the setting prefer_own_factor, the service sends no code to a user with a passkey.
  const methods = account.passkeys.length ? ['passkey'] : [];
  const { continues } = await whorl.decide(request, response, { action: 'login', user: account.id, email, methods });
  if (continues) startSession(request, response, account);
});

app.post('/passkey/options', async ({ session }, response) => {
  const account = accountById(session.user);
  if (!account) return response.status(401).json({ detail: 'Log in first.' });
  const options = await registrationOptions(account);
  session.passkeyChallenge = options.challenge;
  response.json(options);
});

app.post('/passkey', async ({ session, body }, response) => {
  const account = accountById(session.user);
  const { passkeyChallenge } = session;
  if (!account || !passkeyChallenge) return response.status(401).json({ detail: 'Log in first.' });
  delete session.passkeyChallenge;
  account.passkeys.push(await registeredPasskey(body, passkeyChallenge));
  response.json({ count: account.passkeys.length });
});

app.post('/log-out', ({ session }, response) => session.destroy(() => response.sendStatus(204)));

/** A new session, so that an ID from before the login is worth nothing. */
function startSession(request, response, { id, email }) {
  request.session.regenerate((error) => {
    if (error) return response.status(500).json({ detail: 'Try again.' });
    request.session.user = id;
    response.json({ email });
  });
}

function hash(password, salt) {
  return scryptSync(password, salt, 32);
}

app.listen(Number(PORT), () => console.log(`http://localhost:${PORT}`));
