import type { ConsumeAnswer, ConsumeRequest, EvaluationRecord, FeedbackRequest, Success } from '../../wire/index.js';
import type { CallOptions, WriteOptions } from '../options.js';
import type { Transport } from '../transport.js';
import { isConsumed, isEvaluationRecord, isSuccess } from './checks.js';

/** Evaluations that were made before. All reject with `not_found` for an unknown id. */
export class Evaluations {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** GET /v2/evaluations/:id: as recorded, with the evidence for each reason. */
  retrieve(id: string, options?: CallOptions): Promise<EvaluationRecord> {
    const path = '/v2/evaluations/:id';
    return this.transport.call({ method: 'GET', path, parameters: { id }, isAnswer: isEvaluationRecord }, options);
  }

  /**
   * POST /v2/evaluations/:id/consume: makes a verdict that came through a browser count, once. `user` and `action` are
   * those that the application is about to act on. `email` and `phone` are saved where the user has none; what the page
   * sent of them is not. Without any, the code of a new user's first challenge has nowhere to go.
   *
   * Rejects with `already_consumed`, `evaluation_mismatch` for another user or action, `evaluation_superseded` where the
   * device or the user was revoked since the evaluation, `evaluation_expired` after 5 minutes.
   */
  consume(id: string, request: ConsumeRequest, options?: WriteOptions): Promise<ConsumeAnswer> {
    const path = '/v2/evaluations/:id/consume';
    const call = { method: 'POST', path, parameters: { id }, body: request, isAnswer: isConsumed } as const;
    return this.transport.call(call, options);
  }

  /** POST /v2/evaluations/:id/feedback: what it turned out to be. */
  feedback(id: string, request: FeedbackRequest, options?: WriteOptions): Promise<Success> {
    const path = '/v2/evaluations/:id/feedback';
    const call = { method: 'POST', path, parameters: { id }, body: request, isAnswer: isSuccess } as const;
    return this.transport.call(call, options);
  }
}
