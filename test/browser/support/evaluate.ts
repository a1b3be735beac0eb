import type { EvaluateOptions } from '../../../src/index';
import type { ClaimedEvaluation } from '../../../src/wire/index';
import { startServer, type TestServer } from '../harness/server';
import type { Engine, TestPage } from '../harness/types';
import { type EvaluateServer, startEvaluateServer } from './evaluate-server';
import { type OpenedPage, openPage } from './session';

/** Outcome of a call. */
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
    /** Outcome of the call that `begin` started. */
    outcome: Promise<Outcome>;
    abort(): void;
  }
}

/** Options that can be passed to a page. */
export type GivenOptions = Partial<Record<keyof EvaluateOptions, unknown>>;

export interface OpenedEvaluate extends OpenedPage<TestServer> {
  readonly service: EvaluateServer;
  /** Valid options. The user's data occurs in no other text of the tests. */
  options(more?: GivenOptions): GivenOptions;
}

/** Opens a server with a page, like `openPage`, and a service on another origin. */
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

/** Calls `evaluate` in the page and returns its outcome. */
export async function evaluateIn(page: TestPage, options: GivenOptions): Promise<Outcome> {
  await begin(page, options);
  return outcomeOf(page);
}

/**
 * Starts `evaluate` in the page, with the time that a busy machine needs unless `options` say otherwise. `window.abort`
 * aborts it.
 */
export function begin(page: TestPage, options: GivenOptions): Promise<void> {
  return page.evaluate((given) => {
    const controller = new AbortController();
    window.abort = () => controller.abort();
    const patient = { timeoutMs: 60_000, timeout: 120_000 };
    // Also values that the types forbid.
    window.outcome = window.Whorl.evaluate({ signal: controller.signal, ...patient, ...given } as never).then(
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

/** Waits for the outcome of the started call. */
export function outcomeOf(page: TestPage): Promise<Outcome> {
  return page.evaluate(() => window.outcome);
}
