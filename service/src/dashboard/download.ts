/** File that is generated while it is downloaded. */
interface Download {
  /** Parts of the text. Closed when the client goes. */
  readonly parts: AsyncGenerator<string>;
  readonly name: string;
  readonly type: string;
}

/** Returns a response that streams a text, at the pace at which the client reads it. */
export function download({ parts, name, type }: Download): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
  return new Response(stream, {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });
}
