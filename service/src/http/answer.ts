/** What goes back, before it becomes a response: it can be kept, and given again. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function jsonAnswer(value: unknown): Answer {
  return { status: 200, type: 'application/json', body: JSON.stringify(value) };
}

/** @param headers What was learnt on the way to the answer; the answer's own come on top. */
export function toResponse({ status, type, body, headers: own = {} }: Answer, headers = new Headers()): Response {
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  headers.set('Content-Type', type);
  return new Response(body, { status, headers });
}
