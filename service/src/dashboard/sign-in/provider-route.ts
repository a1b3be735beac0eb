import type { Context } from 'hono';
import { hashSecret } from '../../ground/crypto/index.js';
import { ApiError } from '../../ground/errors.js';
import { capitalised } from '../../ground/text-rules.js';
import type { HttpEnv } from '../../http/environment.js';
import { basePathOf, redirect } from '../../http/pages/page-response.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import type { Address } from '../../resources/addresses/addresses.js';
import { type Admission, admit } from '../../resources/admins/admit.js';
import { openIdConnect } from '../../resources/admins/claimed-access.js';
import type { ProviderOptions } from '../../resources/admins/sign-in-options.js';
import { recordFailedSignIn } from '../../resources/audit/audit.js';
import type { Service } from '../../resources/service.js';
import { servePage } from '../dashboard-route.js';
import { flowCookie, noFlowCookie, readFlowCookie, readNext, readSessionCookie, sessionCookie } from '../request.js';
import { respond } from '../respond.js';
import { deviceWords } from './device-words.js';
import {
  beginFlow,
  type Confirms,
  callbackPath,
  FlowError,
  type FlowFailure,
  finishFlow,
  readFlow,
} from './provider-flow.js';
import { renderRefusal, renderSignedIn } from './provider-view.js';
import { showSignIn } from './route.js';
import { beginSession, confirmSession, findSession, providerSessionMs } from './session.js';

/** What happened, then what to do, for each failure. */
const failures: Readonly<Record<FlowFailure, { readonly status: number; readonly text: (name: string) => string }>> = {
  expired: { status: 400, text: () => 'This sign-in has expired, or was begun in another browser. Sign in again.' },
  declined: { status: 403, text: (name) => `${name} did not sign you in. Try again, or ask those who run it.` },
  unavailable: { status: 503, text: (name) => `${name} cannot be reached. Try again in a few minutes.` },
  invalid: { status: 502, text: (name) => `The answer of ${name} was not accepted. Sign in again.` },
};

/** Serves a page of the provider's sign-in. Failures are shown on the sign-in page. */
function providerRoute(path: string, handle: (served: Served) => Promise<Response>): PageRoute {
  return {
    method: 'get',
    path,
    prepare: (context) => (c) =>
      servePage(context, c, async (address) => {
        const { service } = context;
        const { provider } = service.signIn;
        if (!provider) throw new ApiError('not_found', { detail: 'There is no page at this address.' });
        try {
          return await handle({ service, provider, c, address });
        } catch (error) {
          if (!(error instanceof FlowError)) throw error;
          return showFailure({ service, provider, c, address }, error);
        }
      }),
  };
}

interface Served {
  readonly service: Service;
  readonly provider: ProviderOptions;
  readonly c: Context<HttpEnv>;
  readonly address: Address | undefined;
}

async function showFailure(
  { service, provider, c, address }: Served,
  { failure, cause }: FlowError,
): Promise<Response> {
  const { status, text } = failures[failure];
  // Strangers cause `expired` without the provider.
  if (failure !== 'expired') {
    service.log.warn({ failure, error: cause }, 'Sign-in with OpenID Connect failed');
    const failed = { adminId: undefined, network: address?.network, with: openIdConnect, reason: failure };
    await recordFailedSignIn(service.db, service, failed);
  }
  const notice = { kind: 'bad', text: text(capitalised(provider.name)) } as const;
  const response = await showSignIn(service, c, { next: undefined, status, notice });
  response.headers.append('Set-Cookie', noFlowCookie(service));
  return response;
}

const begin = providerRoute('/dashboard/sign-in/provider', async ({ service, provider, c, address }) => {
  const next = readNext(service, c.req.query('next'));
  const confirms = c.req.query('confirm') === undefined ? undefined : await confirmsOf(service, c, address);
  const { url, cookie } = await beginFlow(service, provider, { next, confirms });
  return redirect(url, [flowCookie(service, cookie)]);
});

/** Returns the session to confirm; undefined if nobody is signed in, who then signs in. */
async function confirmsOf(
  service: Service,
  c: Context<HttpEnv>,
  address: Address | undefined,
): Promise<Confirms | undefined> {
  const session = await findSession(service, readSessionCookie(service, c), address?.network);
  if (!session) return undefined;
  return { adminId: session.admin.id, sessionHash: hashSecret(session.token).toString('base64url') };
}

const finish = providerRoute(callbackPath, async (served) => {
  const { service, provider, c, address } = served;
  const { search, searchParams } = new URL(c.req.url);
  const state = searchParams.get('state') ?? undefined;
  const flow = readFlow(service, provider, { cookie: readFlowCookie(service, c), state });
  const identity = await finishFlow(service, provider, { flow, search });
  const network = address?.network;
  const { confirms } = flow;
  const place = { network, device: deviceWords(c.req.header('user-agent')), lifetimeMs: providerSessionMs };
  const admission: Admission<string | undefined> = await admit(service, provider, identity, {
    network,
    onlyAdminId: confirms?.adminId,
    kind: confirms ? 'sign_in_confirmed' : 'signed_in',
    async act(trx, adminId) {
      if (!confirms) return beginSession(trx, service, adminId, place);
      await confirmSession(trx, service, Buffer.from(confirms.sessionHash, 'base64url'));
      return undefined;
    },
  });
  const basePath = basePathOf(service);
  if (admission.outcome === 'refused') {
    const page = respond(renderRefusal({ basePath }, admission.reason), { status: 403 });
    page.headers.append('Set-Cookie', noFlowCookie(service));
    return page;
  }
  const next = flow.next ?? `${basePath}/dashboard`;
  // A page instead of a redirect: browsers do not send the session's cookie with redirects that began on another site.
  const page = respond(renderSignedIn({ basePath }, next), { headers: { Refresh: `0; url=${next}` } });
  if (admission.result !== undefined) page.headers.append('Set-Cookie', sessionCookie(service, admission.result));
  page.headers.append('Set-Cookie', noFlowCookie(service));
  return page;
});

/** Pages that send members to the OpenID Connect provider, and receive them back. */
export const providerPages: readonly PageRoute[] = [begin, finish];
