import type {
  ConsumeRequest,
  ConsumeResponse,
  EvaluationRecord,
  EvaluationsQuery,
  FeedbackRequest,
  Success,
} from '../../wire/index.js';
import { cursorPageOf } from '../checks.js';
import type { CallOptions, WriteOptions } from '../options.js';
import { type CursorList, cursorList } from '../paging.js';
import type { Transport } from '../transport.js';
import { isConsumed, isEvaluationRecord, isSuccess } from './checks.js';

const isPage = cursorPageOf(isEvaluationRecord);

/** Recorded evaluations. Methods with an ID reject with `not_found` for an unknown ID. */
export class Evaluations {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Lists the evaluations that match all filters, the newest first (GET /v2/evaluations). `await` gives one page, and
   * `for await` gives all evaluations from that page on.
   */
  list(query: EvaluationsQuery = {}, options?: CallOptions): CursorList<EvaluationRecord> {
    const load = (cursor: string | undefined) => {
      const page = { ...query, ...(cursor !== undefined && { cursor }) };
      return this.transport.call({ method: 'GET', path: '/v2/evaluations', query: page, isResult: isPage }, options);
    };
    return cursorList(load, query.cursor);
  }

  /** Returns a recorded evaluation with the evidence for each reason (GET /v2/evaluations/:id). */
  retrieve(id: string, options?: CallOptions): Promise<EvaluationRecord> {
    const path = '/v2/evaluations/:id';
    return this.transport.call({ method: 'GET', path, parameters: { id }, isResult: isEvaluationRecord }, options);
  }

  /**
   * Consumes a verdict that came through a browser, once, so that it takes effect (POST /v2/evaluations/:id/consume).
   * `user` and `action` are those that the application is about to act on. `email` and `phone` are saved if the user
   * has none. Contacts that the page sent are never saved, so without them the code of a new user's first challenge
   * cannot be sent.
   *
   * Rejects with `already_consumed`, `evaluation_mismatch` for another user or action, `evaluation_superseded` if the
   * device or the user was revoked since the evaluation, `evaluation_expired` after 5 minutes.
   */
  consume(id: string, request: ConsumeRequest, options?: WriteOptions): Promise<ConsumeResponse> {
    const path = '/v2/evaluations/:id/consume';
    const call = { method: 'POST', path, parameters: { id }, body: request, isResult: isConsumed } as const;
    return this.transport.call(call, options);
  }

  /** Records whether an evaluated action was fraud or legitimate (POST /v2/evaluations/:id/feedback). */
  feedback(id: string, request: FeedbackRequest, options?: WriteOptions): Promise<Success> {
    const path = '/v2/evaluations/:id/feedback';
    const call = { method: 'POST', path, parameters: { id }, body: request, isResult: isSuccess } as const;
    return this.transport.call(call, options);
  }
}
