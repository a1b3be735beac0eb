import { ownFields } from '../own-fields.js';

/** A response. A body is sent as JSON. */
export interface Reply {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The server's response to a page. */
export interface ActionResponse {
  readonly ok: boolean;
  /** 0 if no response arrived. */
  readonly status: number;
  /** The body's `code`. If no response arrived, `network` or `aborted`. */
  readonly code: string | undefined;
  /** If the request failed, a sentence for the visitor: the body's `detail` or `message`, or a general one. Otherwise ''. */
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;
  /** Empty if the response is not a JSON object. Inherits nothing. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The sentence for a visitor who has to enter a code, unless the server sends its own. */
export const codeNeeded = 'A code is needed.';

/** Reads a response, which may be one of a proxy instead of the application. */
export async function readResponse(response: Response): Promise<ActionResponse> {
  const { ok, status, headers } = response;
  const body = parse(await response.text());
  // Sign-in libraries call their sentence `message`.
  const general = body.code === 'challenge_required' ? codeNeeded : 'That did not work. Try again in a moment.';
  const { code, message = general, detail = ok ? '' : message } = body;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return {
    ok,
    status,
    body,
    detail: String(detail),
    code: code === undefined ? undefined : String(code),
    retryAfterSeconds: seconds >= 0 ? seconds : undefined,
  };
}

/** Returns what stands for a response that did not arrive. */
export function noResponse(signal: AbortSignal | undefined): ActionResponse {
  const code = signal?.aborted ? 'aborted' : 'network';
  const detail = 'The server did not answer. Check the connection, then try again.';
  return { ok: false, status: 0, code, detail, retryAfterSeconds: undefined, body: ownFields({}) };
}

function parse(text: string): ActionResponse['body'] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // A page of a proxy.
  }
  return ownFields(Object(body));
}
