import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { passkey } from '@better-auth/passkey';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { toNodeHandler } from 'better-auth/node';
import express from 'express';
import { forwardedFor, whorlBetterAuth } from 'whorl/better-auth';
import { Whorl } from 'whorl/server';

const { BETTER_AUTH_SECRET = randomUUID(), WHORL_API_SECRET, WHORL_URL, PORT = '3000' } = process.env;

const baseURL = `http://localhost:${PORT}`;
const auth = betterAuth({
  baseURL,
  secret: BETTER_AUTH_SECRET,
  // An application keeps accounts and sessions in its database.
  database: memoryAdapter({ user: [], session: [], account: [], verification: [], passkey: [] }),
  emailAndPassword: { enabled: true },
  plugins: [
    passkey({ rpID: 'localhost', rpName: 'Shop', origin: baseURL }),
    whorlBetterAuth({
      whorl: new Whorl({ apiSecret: WHORL_API_SECRET, baseUrl: WHORL_URL }),
      // A browser that was allowed in the last day can log in while the service is down.
      whenUnavailable: 'cached',
      clientAddress: forwardedFor(1),
    }),
  ],
});

const app = express();
app.all('/api/auth/*path', (request, response) => {
  // better-auth reads headers only. Behind a proxy of your own, leave this line out.
  request.headers['x-forwarded-for'] = request.socket.remoteAddress;
  return toNodeHandler(auth)(request, response);
});
app.use(express.static(join(import.meta.dirname, 'dist')));
app.listen(Number(PORT), () => console.log(baseURL));
