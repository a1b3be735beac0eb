import { randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import files from '@fastify/static';
import Fastify from 'fastify';
import { whorlFastify } from 'whorl/fastify';
import { Whorl } from 'whorl/server';

const { WHORL_API_SECRET, WHORL_URL, PORT = '3000' } = process.env;
const whorl = whorlFastify({
  whorl: new Whorl({ apiSecret: WHORL_API_SECRET, baseUrl: WHORL_URL }),
  // A browser that was allowed in the last day can log in while the service is down.
  whenUnavailable: 'cached',
});

/** Accounts by email address. An application keeps them in its database. */
const accounts = new Map();

/** The ID that an account will have. After a code, the page sends the same sign-up again. */
const newIds = new Map();
const newIdOf = (email) => newIds.get(email) ?? newIds.set(email, randomUUID()).get(email);

const app = Fastify();
app.register(files, { root: join(import.meta.dirname, 'dist') });
app.register(whorl.routes, { prefix: '/whorl' });

app.post('/sign-up', async (request, reply) => {
  const { email, password } = request.body;
  if (accounts.has(email)) return reply.code(409).send({ detail: 'There is an account with this address.' });
  const account = { id: newIdOf(email), email, salt: randomUUID() };
  const { continues } = await whorl.decide(request, reply, { action: 'signup', user: account.id, email });
  if (!continues) return reply;
  accounts.set(email, { ...account, hash: hash(password, account.salt) });
  return { email };
});

app.post('/login', async (request, reply) => {
  const { email, password } = request.body;
  const account = accounts.get(email);
  if (!account || !timingSafeEqual(hash(password, account.salt), account.hash)) {
    const { continues } = await whorl.reportFailure(request, reply, { action: 'login', user: account?.id ?? email });
    return continues ? reply.code(401).send({ detail: 'Wrong email address or password.' }) : reply;
  }
  const { continues } = await whorl.decide(request, reply, { action: 'login', user: account.id, email });
  return continues ? { email } : reply; // Start the session here.
});

function hash(password, salt) {
  return scryptSync(password, salt, 32);
}

await app.listen({ port: Number(PORT) });
console.log(`http://localhost:${PORT}`);
