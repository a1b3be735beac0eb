import type { Context } from 'hono';
import type { AppContext, HttpEnv } from '../http/environment.js';
import { withinPageLimits } from '../http/pages/page-route.js';
import { answerFailure } from './answer.js';

/** Answers within the limits of pages; a refusal is a page too. */
export async function servePage(
  serving: AppContext,
  c: Context<HttpEnv>,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    return await withinPageLimits(serving, c, 'challenge-page', answer);
  } catch (thrown) {
    return answerFailure(serving.service, c, thrown);
  }
}
