import { randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { Strategy } from 'passport-local';
import { whorlPassport } from 'whorl/passport';
import { Whorl } from 'whorl/server';

const { SESSION_SECRET = randomUUID(), WHORL_API_SECRET, WHORL_URL, PORT = '3000' } = process.env;
const whorl = whorlPassport({
  whorl: new Whorl({ apiSecret: WHORL_API_SECRET, baseUrl: WHORL_URL }),
  // A browser that was allowed in the last day can log in while the service is down.
  whenUnavailable: 'cached',
});

/** Accounts by email address. An application keeps them in its database. */
const accounts = new Map();

passport.use(
  new Strategy({ usernameField: 'email' }, (email, password, done) => {
    const account = accounts.get(email);
    const isRight = account && timingSafeEqual(hash(password, account.salt), account.hash);
    done(null, isRight ? account : false);
  }),
);
// By the ID: another account may get the email address later.
passport.serializeUser(({ id }, done) => done(null, id));
passport.deserializeUser((id, done) => done(null, [...accounts.values()].find((each) => each.id === id) ?? false));

const app = express();
app.use(express.json());
app.use(express.static(join(import.meta.dirname, 'dist')));
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false, cookie: { sameSite: 'lax' } }));
app.use(passport.session());
app.use('/whorl', whorl.routes());

const start = (action, beforeSession) =>
  whorl.login({ attempt: ({ id, email }) => ({ action, user: id, email }), beforeSession });
const sendUser = (request, response) => response.json({ email: request.user.email });

app.post('/login', passport.authenticate('local', { session: false, failWithError: true }), start('login'), sendUser);

function prepareAccount(request, response, next) {
  const { email, password } = request.body;
  if (accounts.has(email)) return response.status(409).json({ detail: 'There is an account with this address.' });
  const salt = randomUUID();
  // After a code, the page sends the same sign-up again. A session that starts is a new one, without this ID.
  request.session.newId ??= randomUUID();
  request.user = { id: request.session.newId, email, salt, hash: hash(password, salt) };
  next();
}

/** If it throws, there is no session. */
function createAccount(account) {
  if (accounts.has(account.email)) throw new Error('Somebody else has just created this account.');
  accounts.set(account.email, account);
}

app.post('/sign-up', prepareAccount, start('signup', createAccount), sendUser);
app.post('/log-out', whorl.logout(), (_request, response) => response.sendStatus(204));

app.use(
  whorl.reportFailedLogin(({ body, query }) => {
    const email = body?.email || query.email; // The strategy reads both.
    return email && { action: 'login', user: accounts.get(email)?.id ?? email };
  }),
);
app.use((error, _request, response, _next) => {
  const isWrong = error.name === 'AuthenticationError';
  if (!isWrong) console.error(error);
  response.status(error.status ?? 500).json({ detail: isWrong ? 'Wrong email address or password.' : 'Try again.' });
});

function hash(password, salt) {
  return scryptSync(password, salt, 32);
}

app.listen(Number(PORT), () => console.log(`http://localhost:${PORT}`));
