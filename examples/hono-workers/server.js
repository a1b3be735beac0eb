import { DurableObject, env } from 'cloudflare:workers';
import { randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { whorlHono } from 'whorl/hono';
import { Whorl } from 'whorl/server';

const whorl = whorlHono({
  whorl: new Whorl({ apiSecret: env.WHORL_API_SECRET, baseUrl: env.WHORL_URL }),
  // A browser that was allowed in the last day can log in while the service is down.
  whenUnavailable: 'cached',
  clientAddress: (c) => c.req.header('cf-connecting-ip'),
});

/** An account. The object of an email address exists once, whichever worker asks for it. */
export class Account extends DurableObject {
  read() {
    return this.ctx.storage.kv.get('account');
  }

  /** The ID that the account will have. After a code, the page sends the same sign-up again. */
  newId() {
    const id = this.ctx.storage.kv.get('id') ?? randomUUID();
    this.ctx.storage.kv.put('id', id);
    return id;
  }

  write(account) {
    this.ctx.storage.kv.put('account', account);
  }
}

const accountOf = (email) => env.ACCOUNTS.getByName(email);

const app = new Hono();
app.post('/whorl/*', whorl.routes());

app.post('/sign-up', async (c) => {
  const { email, password } = await c.req.raw.clone().json();
  if (await accountOf(email).read()) return c.json({ detail: 'There is an account with this address.' }, 409);
  const account = { id: await accountOf(email).newId(), email, salt: randomUUID() };
  const { response } = await whorl.decide(c, { action: 'signup', user: account.id, email });
  if (response) return response;
  await accountOf(email).write({ ...account, hash: hash(password, account.salt) });
  return c.json({ email });
});

app.post('/login', async (c) => {
  const { email, password } = await c.req.raw.clone().json();
  const account = await accountOf(email).read();
  if (!account || !timingSafeEqual(hash(password, account.salt), account.hash)) {
    const { response } = await whorl.reportFailure(c, { action: 'login', user: account?.id ?? email });
    return response ?? c.json({ detail: 'Wrong email address or password.' }, 401);
  }
  const { response } = await whorl.decide(c, { action: 'login', user: account.id, email });
  return response ?? c.json({ email }); // Start the session here.
});

function hash(password, salt) {
  return scryptSync(password, salt, 32);
}

export default app;
