import type { EvaluateOptions } from '../../../src/index';
import type { ClaimedEvaluation } from '../../../src/wire/index';
import { startServer, type TestServer } from '../harness/server';
import type { Engine, TestPage } from '../harness/types';
import { type EvaluateServer, startEvaluateServer } from './evaluate-server';
import { type OpenedPage, openPage } from './session';

/** What came of a call. */
export interface Outcome {
  readonly answer?: ClaimedEvaluation;
  readonly error?: {
    readonly isWhorlError: boolean;
    readonly code?: string;
    readonly message: string;
    readonly status?: number;
    readonly problemCode?: string;
    readonly requestId?: string;
    readonly retryAfter?: number;
  };
}

declare global {
  interface Window {
    /** What comes of the call that `begin` began. */
    outcome: Promise<Outcome>;
    abort(): void;
  }
}

/** The options that can be handed to a page. */
export type GivenOptions = Partial<Record<keyof EvaluateOptions, unknown>>;

export interface OpenedEvaluate extends OpenedPage<TestServer> {
  readonly service: EvaluateServer;
  /** Options that work. What is said of the user is in no other text of the tests. */
  options(more?: GivenOptions): GivenOptions;
}

/** A server with a page, as `openPage` has them, and a service on another origin. */
export async function openEvaluate(engine: Engine): Promise<OpenedEvaluate> {
  const opened = await openPage(engine, startServer);
  const service = await startEvaluateServer();
  return {
    ...opened,
    service,
    options: (more) => ({ ...user, clientId, baseUrl: service.origin, action: 'login', ...more }),
    close: async () => {
      await opened.close();
      await service.close();
    },
  };
}

export const clientId = 'pk_test_4f9a';
export const user = { user: 'user-7281', email: 'ada@example.com', phone: '+15550100' };

/** Calls `evaluate` in the page, and waits for what comes of it. */
export async function evaluateIn(page: TestPage, options: GivenOptions): Promise<Outcome> {
  await begin(page, options);
  return outcomeOf(page);
}

/** Calls `evaluate` in the page, where `window.abort` ends it. */
export function begin(page: TestPage, options: GivenOptions): Promise<void> {
  return page.evaluate((given) => {
    const controller = new AbortController();
    window.abort = () => controller.abort();
    // Also what the types forbid is to be told.
    window.outcome = window.Whorl.evaluate({ signal: controller.signal, ...given } as never).then(
      (answer) => ({ answer }),
      (thrown) => ({
        error: {
          isWhorlError: thrown instanceof window.Whorl.WhorlError,
          code: thrown.code,
          message: thrown.message,
          status: thrown.status,
          problemCode: thrown.problemCode,
          requestId: thrown.requestId,
          retryAfter: thrown.retryAfter,
        },
      }),
    );
  }, options);
}

/** What comes of the call that was begun. */
export function outcomeOf(page: TestPage): Promise<Outcome> {
  return page.evaluate(() => window.outcome);
}
