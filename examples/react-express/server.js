import { randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import express from 'express';
import { whorlExpress } from 'whorl/express';
import { Whorl } from 'whorl/server';

const { WHORL_API_SECRET, WHORL_URL, PORT = '3000' } = process.env;
const whorl = whorlExpress({
  whorl: new Whorl({ apiSecret: WHORL_API_SECRET, baseUrl: WHORL_URL }),
  // A browser that was allowed in the last day can log in while the service is down.
  whenUnavailable: 'cached',
});

/** Accounts by email address. An application keeps them in its database. */
const accounts = new Map();

/** The ID that an account will have. After a code, the page sends the same sign-up again. */
const newIds = new Map();
const newIdOf = (email) => newIds.get(email) ?? newIds.set(email, randomUUID()).get(email);

/** IDs of logged-in users by the token in their cookie. */
const sessions = new Map();
const tokenOf = (request) => /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
const userOf = (request) => sessions.get(tokenOf(request));

const app = express();
app.use(express.json());
app.use(express.static(join(import.meta.dirname, 'dist')));
// The page shows users their devices.
app.use('/whorl', whorl.routes({ user: userOf }));

app.post('/sign-up', async (request, response) => {
  const { email, password } = request.body;
  if (accounts.has(email)) return response.status(409).json({ detail: 'There is an account with this address.' });
  const account = { id: newIdOf(email), email, salt: randomUUID() };
  const attempt = { action: 'signup', user: account.id, email };
  const { continues } = await whorl.decide(request, response, attempt);
  if (!continues) return;
  accounts.set(email, { ...account, hash: hash(password, account.salt) });
  startSession(response, account);
});

app.post('/login', async (request, response) => {
  const { email, password } = request.body;
  const account = accounts.get(email);
  if (!account || !timingSafeEqual(hash(password, account.salt), account.hash)) {
    const { continues } = await whorl.reportFailure(request, response, { action: 'login', user: account?.id ?? email });
    return continues && response.status(401).json({ detail: 'Wrong email address or password.' });
  }
  const { continues } = await whorl.decide(request, response, { action: 'login', user: account.id, email });
  if (continues) startSession(response, account);
});

app.post('/log-out', (request, response) => {
  sessions.delete(tokenOf(request));
  response.clearCookie('session').json({});
});

function startSession(response, { id, email }) {
  const token = randomUUID();
  sessions.set(token, id);
  response.cookie('session', token, { httpOnly: true, sameSite: 'lax' }); // Add `secure` where the site has HTTPS.
  response.json({ email });
}

function hash(password, salt) {
  return scryptSync(password, salt, 32);
}

app.listen(Number(PORT), () => console.log(`http://localhost:${PORT}`));
