import type { DeviceEvent } from 'whorl/wire';
import type { DeviceState } from '../resources/devices/queries/device-ends.js';
import { newsOf, type WaitingPage } from '../resources/devices/rules/news.js';
import type { DeviceWatch, Follower } from '../resources/devices/watch.js';

/** Reconnection delay sent to the client, in milliseconds. */
const retryMs = 2000;
/** Maximum number of unread chunks. A client with more is considered disconnected. */
const maxUnread = 20;

/** A waiting page and the project of its device. */
export interface FollowingPage extends WaitingPage {
  readonly project: string;
}

export interface StreamOptions {
  readonly watch: DeviceWatch;
  readonly page: FollowingPage;
  /** ID of the last event that the page has received. */
  readonly after: string;
  /** Renewed token, sent first if present. */
  readonly newerToken: string | undefined;
  /** The stream ends at the first heartbeat after this time. */
  readonly endsAt: Date;
  readonly now: () => Date;
  /** Reads the device's state. Called after the page has subscribed, so that no change is missed. */
  readonly read: () => Promise<DeviceState | undefined>;
  /** Abort signal of the request. */
  readonly signal: AbortSignal;
}

/**
 * Opens a stream of a device's events as server-sent events (HTML standard, section 9.2): first those that the page has
 * missed, then new ones. It ends after `detached`.
 *
 * @throws {ApiError} if the watch refuses the page or the state cannot be read.
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
    if (now() >= endsAt || (this.#controller?.desiredSize ?? 0) < -maxUnread) this.onEnd();
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
