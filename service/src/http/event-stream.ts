import type { DeviceEvent } from 'whorl/wire';
import type { DeviceState } from '../devices/queries/device-ends.js';
import { newsOf, type WaitingPage } from '../devices/rules/news.js';
import type { DeviceWatch, Follower } from '../devices/watch.js';

/** How long a reader waits before it opens a stream again. */
const retryMs = 2000;
/** What nobody has read: whoever reads nothing for so many pieces is gone. */
const mostUnread = 20;

/** A page that waits for news, and the project of its device. */
export interface FollowingPage extends WaitingPage {
  readonly project: string;
}

export interface StreamOptions {
  readonly watch: DeviceWatch;
  readonly page: FollowingPage;
  /** The id of the newest event that the page knows. */
  readonly after: string;
  /** A newer token to begin with, where there is one. */
  readonly newerToken: string | undefined;
  /** The stream ends at the first beat after it. */
  readonly endsAt: Date;
  readonly now: () => Date;
  /** Reads how the device stands, once the page is among those that are told. */
  readonly read: () => Promise<DeviceState | undefined>;
  /** Of the request. */
  readonly signal: AbortSignal;
}

/**
 * The news of a device as server-sent events (HTML standard, section 9.2): first what there is, then what comes. It ends
 * after `detached`.
 *
 * @throws {ApiError} (rejects with) what the watch refuses with, or what reading fails with.
 */
export async function openEventStream(options: StreamOptions): Promise<ReadableStream<Uint8Array>> {
  const stream = new DeviceStream(options);
  await stream.open();
  return stream.readable;
}

class DeviceStream implements Follower {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #options: StreamOptions;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #after: string;
  #leave = () => {};

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#after = options.after;
    this.readable = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => this.#stop(),
    });
  }

  async open(): Promise<void> {
    const { watch, page, read, newerToken, signal } = this.#options;
    this.#leave = watch.follow({ projectId: page.project, id: page.device }, this);
    try {
      signal.addEventListener('abort', () => this.onEnd(), { once: true });
      if (signal.aborted) this.onEnd();
      this.#send(`retry: ${retryMs}\n\n`);
      if (newerToken) this.#send(`event: token\ndata: ${JSON.stringify({ device_token: newerToken })}\n\n`);
      this.onState(await read());
    } catch (error) {
      this.onEnd();
      throw error;
    }
  }

  onState(state: DeviceState | undefined): void {
    for (const event of newsOf(state, this.#options.page, this.#after)) {
      this.#after = event.id;
      this.#send(print(event));
      if (event.type === 'detached') this.onEnd();
    }
  }

  onBeat(): void {
    const { endsAt, now } = this.#options;
    this.#send(':\n\n');
    if (now() >= endsAt || (this.#controller?.desiredSize ?? 0) < -mostUnread) this.onEnd();
  }

  onEnd(): void {
    const controller = this.#controller;
    this.#stop();
    controller?.close();
  }

  #stop(): void {
    this.#controller = undefined;
    this.#leave();
  }

  #send(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }
}

function print({ id, type, data }: DeviceEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
