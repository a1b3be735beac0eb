// Answers the web hook of Kratos. `decideAction` of whorl/next needs no framework.
import express from 'express';
import { forwardedFor, whorlNext } from 'whorl/next';
import { Whorl } from 'whorl/server';

const { KRATOS_KEY, WHORL_API_SECRET, WHORL_URL } = process.env;
const whorl = whorlNext({
  whorl: new Whorl({ apiSecret: WHORL_API_SECRET, baseUrl: WHORL_URL }),
  whenUnavailable: 'cached',
  onUnavailable: (cause) => console.error(cause),
  clientAddress: forwardedFor(1),
});

const app = express();
app.post('/kratos/login', express.json(), async (request, response) => {
  if (request.get('x-kratos-key') !== KRATOS_KEY) return response.sendStatus(401);
  const { user, email, ip, user_agent, browser } = request.body;
  const headers = { 'x-forwarded-for': ip, 'user-agent': user_agent };
  const cookies = new Headers();
  const { reply } = await whorl.decideAction({ headers, cookies }, browser, { action: 'login', user, email });
  if (!reply) return response.sendStatus(204);
  const context = { code: reply.body?.code, set_cookie: cookies.get('set-cookie')?.replace('HttpOnly; ', '') };
  const message = { id: 4_999_001, type: 'error', text: reply.body?.detail, context };
  response.status(403).json({ messages: [{ instance_ptr: '#/', messages: [message] }] });
});
app.listen(process.env.PORT);
