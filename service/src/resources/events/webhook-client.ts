import type { Attempted } from './rules/attempted.js';

/** Webhooks may not be sent to an address. The message explains the reason to the operator. */
export class ReceiverRefused extends Error {
  readonly failure: 'address' | 'dns';

  constructor(failure: 'address' | 'dns', message: string) {
    super(message);
    this.name = 'ReceiverRefused';
    this.failure = failure;
  }
}

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends webhooks. */
export interface WebhookClient {
  /** @throws ReceiverRefused if webhooks may not be sent to the URL. */
  check(url: string): Promise<void>;
  /** Makes one attempt. Never rejects; errors are returned as a failure. */
  post(request: WebhookRequest): Promise<Attempted & { readonly durationMs: number }>;
}
