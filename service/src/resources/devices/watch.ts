import type { OpenDatabase } from '../../ground/db/database.js';
import type { StopListening } from '../../ground/db/notifications.js';
import { ApiError } from '../../ground/errors.js';
import type { Service } from '../service.js';
import { type DeviceOfProject, type DeviceState, endedChannel, readDeviceStates } from './queries/device-ends.js';

/** Returns the current state of a device; undefined if it does not exist. */
export async function readDeviceState(
  { db, now }: Pick<Service, 'db' | 'now'>,
  device: DeviceOfProject,
): Promise<DeviceState | undefined> {
  return (await readDeviceStates(db, [device], now())).get(device.id);
}

/** Page that waits for events of its device. */
export interface Follower {
  /**
   * Receives the current state of the device; undefined if it was deleted. Called repeatedly, even if nothing has
   * changed.
   */
  onState(state: DeviceState | undefined): void;
  /** Called at regular intervals. */
  onBeat(): void;
  /** Called when no more events will follow. */
  onEnd(): void;
}

export interface WatchOptions {
  /**
   * Subscribes to notifications from other processes, so that pages receive changes at once. Default: none; devices are
   * then polled more often.
   */
  readonly listen?: OpenDatabase['listen'];
  /** Maximum number of pages per device in this process. Default: 4. */
  readonly perDevice?: number;
  /** Maximum number of pages in this process. Default: 10,000. */
  readonly total?: number;
  /** Interval of `onBeat`, in milliseconds. Default: 15,000. */
  readonly beatMs?: number;
  /** Interval at which all devices are polled, in milliseconds. Default: 5000 while listening, otherwise 2000. */
  readonly pollMs?: number;
}

const defaultPollMs = { listening: 5000, polling: 2000 } as const;
/** Number of devices per query. */
const batchSize = 1000;

/**
 * Pages that wait in this process, by device. While there are any, it listens for notifications about detached and
 * blocked devices, and polls all devices every few seconds for challenges and missed notifications.
 */
export class DeviceWatch {
  readonly #service: Pick<Service, 'db' | 'now' | 'log'>;
  readonly #options: WatchOptions & Required<Pick<WatchOptions, 'perDevice' | 'total' | 'beatMs'>>;
  readonly #followers = new Map<string, Set<Follower>>();
  /** The devices of these pages, by their ids. */
  readonly #devices = new Map<string, DeviceOfProject>();
  readonly #unread = new Set<string>();
  #size = 0;
  #isReading = false;
  #isClosed = false;
  #beat: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #listening: Promise<StopListening | undefined> | undefined;

  constructor(service: Pick<Service, 'db' | 'now' | 'log'>, options: WatchOptions = {}) {
    this.#service = service;
    this.#options = { perDevice: 4, total: 10_000, beatMs: 15_000, ...options };
  }

  /** Number of waiting pages. */
  get size(): number {
    return this.#size;
  }

  /**
   * Sends a page the state of its device from now on. Returns a function that stops this.
   *
   * @throws {ApiError} `rate_limited` if too many pages of the device are waiting; `unavailable` if too many pages
   *   are waiting in total, or the process is shutting down.
   */
  follow(device: DeviceOfProject, follower: Follower): () => void {
    const { perDevice, total } = this.#options;
    const { id } = device;
    const pages = this.#followers.get(id) ?? new Set();
    if (this.#isClosed) throw unavailable('The process is shutting down. Try again.', 1);
    if (pages.size >= perDevice) {
      const detail = `${perDevice} pages of this device are already connected. Close one and try again.`;
      throw new ApiError('rate_limited', { detail, retryAfterSeconds: 15 });
    }
    if (this.#size >= total) throw unavailable('Too many pages are connected. Try again later.', 15);
    this.#followers.set(id, pages.add(follower));
    this.#devices.set(id, device);
    this.#size += 1;
    this.#start();
    return () => this.#leave(id, pages, follower);
  }

  /** Disconnects all pages and accepts no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const follower of [...this.#followers.values()].flatMap((pages) => [...pages])) follower.onEnd();
    this.#stopTimers();
    const stop = await this.#listening;
    await stop?.();
  }

  #leave(device: string, pages: Set<Follower>, follower: Follower): void {
    if (!pages.delete(follower)) return;
    this.#size -= 1;
    if (pages.size === 0) {
      this.#followers.delete(device);
      this.#devices.delete(device);
    }
    if (this.#size === 0) this.#stopTimers();
  }

  #start(): void {
    this.#listen();
    this.#poll ??= setTimeout(() => this.#pollAll(), this.#pollMs);
    this.#beat ??= setInterval(() => {
      for (const follower of this.#all()) follower.onBeat();
    }, this.#options.beatMs);
  }

  #stopTimers(): void {
    clearInterval(this.#beat);
    clearTimeout(this.#poll);
    this.#beat = undefined;
    this.#poll = undefined;
  }

  #all(): Follower[] {
    return [...this.#followers.values()].flatMap((pages) => [...pages]);
  }

  get #pollMs(): number {
    return this.#options.pollMs ?? defaultPollMs[this.#listening ? 'listening' : 'polling'];
  }

  /** Keeps listening until the process ends, because reopening the connection repeatedly would cost more. */
  #listen(): void {
    const { listen } = this.#options;
    if (!listen || this.#listening || this.#isClosed) return;
    const onEnd = () => {
      this.#listening = undefined;
    };
    const onMessage = (device: string) => {
      if (this.#followers.has(device)) this.#unread.add(device);
      void this.#readAll();
    };
    const onListening = (stop: StopListening) => {
      // Notifications from before listening started are not repeated.
      void this.#readEach();
      return stop;
    };
    this.#listening = listen(endedChannel, { onMessage, onEnd }).then(onListening, (error: unknown) => {
      onEnd();
      this.#service.log.warn({ error }, 'Listening for database notifications failed, polling devices instead');
      return undefined;
    });
  }

  async #pollAll(): Promise<void> {
    await this.#readEach();
    this.#poll = undefined;
    // Failed steps are retried while pages are waiting.
    if (this.#size > 0 && !this.#isClosed) this.#start();
  }

  async #readEach(): Promise<void> {
    for (const device of this.#followers.keys()) this.#unread.add(device);
    await this.#readAll();
  }

  /** Reads devices that may have changed, one query at a time. If the database is unreachable, pages keep waiting. */
  async #readAll(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#unread.size > 0) await this.#readSome([...this.#unread].slice(0, batchSize));
    } catch (error) {
      this.#service.log.warn({ error }, 'Reading watched devices failed');
    } finally {
      this.#isReading = false;
    }
  }

  async #readSome(devices: readonly string[]): Promise<void> {
    for (const device of devices) this.#unread.delete(device);
    const followed = devices.flatMap((device) => this.#devices.get(device) ?? []);
    const states = await readDeviceStates(this.#service.db, followed, this.#service.now());
    for (const device of devices) {
      for (const follower of [...(this.#followers.get(device) ?? [])]) follower.onState(states.get(device));
    }
  }
}

function unavailable(detail: string, retryAfterSeconds: number): ApiError {
  return new ApiError('unavailable', { detail, retryAfterSeconds });
}
