import type { Context } from 'hono';
import type { ChallengeStatus } from 'whorl/wire';
import { describeAttempt, findChallengedBrowser } from '../challenges/attempt.js';
import { skipChallenge } from '../challenges/lifecycle.js';
import { retrieveChallenge } from '../challenges/read.js';
import { type DisownLink, readDisownLink } from '../ground/crypto/index.js';
import { ApiError } from '../ground/errors.js';
import type { HttpEnv } from '../http/environment.js';
import { basePathOf, redirect } from '../http/pages/page-response.js';
import type { Caller, Service } from '../resources/service.js';
import { respondInvalidLink, respondWithStep } from './respond.js';
import type { Step } from './rules.js';
import { findPageCaller } from './visit.js';

interface Disowning {
  readonly caller: Caller;
  readonly challengeId: string;
}

/** Shows the attempt of a "This was not me" link. Changes nothing, because programs open the links in mails too. */
export async function showDisowning(service: Service, c: Context<HttpEnv>, token: string): Promise<Response> {
  const found = await findDisowning(service, readDisownLink(service.vault, token));
  if (!found) return respondInvalidLink(service, c);
  const { caller } = found;
  c.set('projectId', caller.project.id);
  const forms = { action: pathOf(service, token), token: '' };
  return respondWithStep(service, c, { caller, step: await stepOf(service, found), forms });
}

/** Skips the challenge of a link, so that its code no longer works, and shows the result. */
export async function disownChallenge(service: Service, c: Context<HttpEnv>, token: string): Promise<Response> {
  const found = await findDisowning(service, readDisownLink(service.vault, token));
  if (!found) return respondInvalidLink(service, c);
  try {
    await skipChallenge(service, found.caller, found.challengeId, 'disowned');
  } catch (error) {
    // It has ended in the meantime, which the page then says.
    if (!(error instanceof ApiError) || !['challenge_closed', 'not_found'].includes(error.code)) throw error;
  }
  return redirect(pathOf(service, token));
}

function pathOf(service: Service, token: string): string {
  return `${basePathOf(service)}/n/${token}`;
}

async function findDisowning(service: Service, link: DisownLink | undefined): Promise<Disowning | undefined> {
  const caller = link && (await findPageCaller(service, link.worldId));
  return caller && { caller, challengeId: link.challengeId };
}

async function stepOf(service: Service, { caller, challengeId }: Disowning): Promise<Step> {
  const status = await statusOf(service, caller, challengeId);
  if (status === 'completed') return { name: 'confirmed' };
  if (status === 'skipped') return { name: 'disowned' };
  const challenged = status === 'pending' ? await findChallengedBrowser(service, caller, challengeId) : undefined;
  return challenged ? { name: 'disown', attempt: describeAttempt(service, challenged) } : { name: 'ended' };
}

/** Returns the status of a challenge, or undefined if it does not exist any more. */
async function statusOf(service: Service, caller: Caller, challengeId: string): Promise<ChallengeStatus | undefined> {
  try {
    return (await retrieveChallenge(service, caller, challengeId)).status;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}
