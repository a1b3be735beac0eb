/** Frameworks with a snippet for the first evaluation, in the order of the page. */
export const frameworks = {
  curl: { title: 'Any language', docs: 'other-languages' },
  express: { title: 'Express', docs: 'adapters#express' },
  fastify: { title: 'Fastify', docs: 'adapters#fastify' },
  hono: { title: 'Hono', docs: 'adapters#hono' },
  next: { title: 'Next', docs: 'adapters#next' },
} as const;
export type Framework = keyof typeof frameworks;

export function frameworkIn(text: string | null): Framework {
  return text !== null && isFramework(text) ? text : 'curl';
}

function isFramework(text: string): text is Framework {
  return Object.hasOwn(frameworks, text);
}

/** Fingerprint of a browser that does not exist. */
const fingerprint =
  'w1.dlc156.7Z9v0pT8aKuEwGT748W68JVnrQ7d.fuCmklxImC2ebtiRjVDCF3p-chyVrMAXdjzc.TNbCyWxtd9m8OWLtvKaE.AAAA';

/** Returns the code of a server that evaluates a login, as in docs/adapters.md. */
export function serverSnippet(framework: Framework, url: string): string {
  const options = `whorl: new Whorl({ apiSecret: process.env.WHORL_API_SECRET, baseUrl: '${url}' }),
  whenUnavailable: 'cached',`;
  switch (framework) {
    case 'curl':
      return `curl ${url}/v2/device/evaluate \\
  -H "Authorization: Bearer $WHORL_API_SECRET" -H 'Content-Type: application/json' \\
  -d '{ "action": "login", "user": "ann", "ip": "198.51.100.7",
        "fingerprint": "${fingerprint}" }'`;
    case 'express':
      return `import express from 'express';
import { whorlExpress } from 'whorl/express';
import { Whorl } from 'whorl/server';

const whorl = whorlExpress({
  ${options}
  trustedProxies: 0, // The number of your own proxies.
});
const app = express();
app.use(express.json());
app.use('/whorl', whorl.routes());

app.post('/login', async (request, response) => {
  const user = checkPassword(request.body); // Your own function.
  const { continues } = await whorl.decide(request, response, { action: 'login', user: user.id, email: user.email });
  if (!continues) return; // It has answered, for example that a code is needed.
  response.json({ user: user.id });
});`;
    case 'fastify':
      return `import Fastify from 'fastify';
import { whorlFastify } from 'whorl/fastify';
import { Whorl } from 'whorl/server';

const whorl = whorlFastify({
  ${options}
  trustedProxies: 0, // The number of your own proxies.
});
const app = Fastify();
app.register(whorl.routes, { prefix: '/whorl' });

app.post('/login', async (request, reply) => {
  const user = checkPassword(request.body); // Your own function.
  const { continues } = await whorl.decide(request, reply, { action: 'login', user: user.id, email: user.email });
  if (!continues) return reply; // It has answered, for example that a code is needed.
  return { user: user.id };
});`;
    case 'hono':
      return `import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { whorlHono } from 'whorl/hono';
import { Whorl } from 'whorl/server';

const whorl = whorlHono({
  ${options}
  clientAddress: (c) => getConnInfo(c).remote.address, // Behind proxies: forwardedFor of whorl/hono.
});
const app = new Hono();
app.post('/whorl/*', whorl.routes());

app.post('/login', async (c) => {
  const user = checkPassword(await c.req.raw.clone().json()); // Your own function.
  const { response } = await whorl.decide(c, { action: 'login', user: user.id, email: user.email });
  if (response) return response; // For example that a code is needed.
  return c.json({ user: user.id });
});`;
    case 'next':
      return `// whorl.js
import { forwardedFor, whorlNext } from 'whorl/next';
import { Whorl } from 'whorl/server';

globalThis.whorl ??= whorlNext({
  whorl: () => new Whorl({ apiSecret: process.env.WHORL_API_SECRET, baseUrl: '${url}' }),
  whenUnavailable: 'cached',
  clientAddress: forwardedFor(1), // The number of your own proxies.
});
export const { whorl } = globalThis;

// app/whorl/[route]/route.js
export const { POST } = whorl.routes();

// app/login/route.js
export async function POST(request) {
  const user = checkPassword(await request.clone().json()); // Your own function.
  const { response } = await whorl.decide(request, { action: 'login', user: user.id, email: user.email });
  if (response) return response; // For example that a code is needed.
  return Response.json({ user: user.id });
}`;
  }
}

/** Code of a page that sends a login. The adapters for React and Vue do the same. */
export const pageSnippet = `import { whorlPage } from 'whorl/page'; // Also whorl/react and whorl/vue.

const whorl = whorlPage();
const { ok, detail } = await whorl.submit('/login', new FormData(form));`;
