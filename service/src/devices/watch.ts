import type { OpenDatabase } from '../db/database.js';
import type { StopListening } from '../db/notifications.js';
import { ApiError } from '../errors.js';
import type { Service } from '../service.js';
import { type DeviceOfProject, type DeviceState, endedChannel, readDeviceStates } from './queries/device-ends.js';

/** A page that waits for news of its device. */
export interface Follower {
  /** How its device stands now; undefined where it is gone. Comes again and again, also where nothing has changed. */
  onState(state: DeviceState | undefined): void;
  /** Comes at equal times. */
  onBeat(): void;
  /** Nothing comes any more. */
  onEnd(): void;
}

export interface WatchOptions {
  /** How pages hear at once of what other processes do. Default: not at all; then devices are read more often. */
  readonly listen?: OpenDatabase['listen'];
  /** How many pages of one device may wait in this process. Default: 4. */
  readonly perDevice?: number;
  /** How many pages in all. Default: 10,000. */
  readonly inAll?: number;
  /** Default: 15,000. */
  readonly beatMs?: number;
  /** How long after a reading of all devices the next one comes. Default: 5000 while listening, else 2000. */
  readonly pollMs?: number;
}

const usualPollMs = { listening: 5000, deaf: 2000 } as const;
/** How many devices one query reads. */
const batchSize = 1000;

/**
 * The pages that wait in this process, by their devices. While there are any, the database is listened to for what ends
 * devices, and all devices together are read every few seconds: for challenges, and for what listening missed.
 */
export class DeviceWatch {
  readonly #service: Pick<Service, 'db' | 'now' | 'log'>;
  readonly #options: WatchOptions & Required<Pick<WatchOptions, 'perDevice' | 'inAll' | 'beatMs'>>;
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
    this.#options = { perDevice: 4, inAll: 10_000, beatMs: 15_000, ...options };
  }

  /** How many pages wait. */
  get size(): number {
    return this.#size;
  }

  /**
   * Tells a page of its device from now on. Answers what ends that.
   *
   * @throws {ApiError} `rate_limited` where too many pages of the device wait, `unavailable` where too many do in all, or
   *   this process is about to end.
   */
  follow(device: DeviceOfProject, follower: Follower): () => void {
    const { perDevice, inAll } = this.#options;
    const { id } = device;
    const pages = this.#followers.get(id) ?? new Set();
    if (this.#isClosed) throw unavailable('The process is about to end.', 1);
    if (pages.size >= perDevice) {
      const detail = `${perDevice} pages of this device wait already.`;
      throw new ApiError('rate_limited', { detail, retryAfterSeconds: 15 });
    }
    if (this.#size >= inAll) throw unavailable('Too many pages wait already.', 15);
    this.#followers.set(id, pages.add(follower));
    this.#devices.set(id, device);
    this.#size += 1;
    this.#begin();
    return () => this.#leave(id, pages, follower);
  }

  /** Ends the waiting of all pages, and lets no more in. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const follower of [...this.#followers.values()].flatMap((pages) => [...pages])) follower.onEnd();
    this.#rest();
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
    if (this.#size === 0) this.#rest();
  }

  #begin(): void {
    this.#listen();
    this.#poll ??= setTimeout(() => this.#pollAll(), this.#pollMs);
    this.#beat ??= setInterval(() => {
      for (const follower of this.#all()) follower.onBeat();
    }, this.#options.beatMs);
  }

  #rest(): void {
    clearInterval(this.#beat);
    clearTimeout(this.#poll);
    this.#beat = undefined;
    this.#poll = undefined;
  }

  #all(): Follower[] {
    return [...this.#followers.values()].flatMap((pages) => [...pages]);
  }

  get #pollMs(): number {
    return this.#options.pollMs ?? usualPollMs[this.#listening ? 'listening' : 'deaf'];
  }

  /** Once begun, it goes on until the process ends: a connection is cheaper than opening one again and again. */
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
      // What was told before it began is not told again.
      void this.#readEach();
      return stop;
    };
    this.#listening = listen(endedChannel, { onMessage, onEnd }).then(onListening, (error: unknown) => {
      onEnd();
      this.#service.log.warn({ error }, 'The database cannot be listened to; devices are read instead');
      return undefined;
    });
  }

  async #pollAll(): Promise<void> {
    await this.#readEach();
    this.#poll = undefined;
    // What broke is tried again, as long as somebody waits.
    if (this.#size > 0 && !this.#isClosed) this.#begin();
  }

  async #readEach(): Promise<void> {
    for (const device of this.#followers.keys()) this.#unread.add(device);
    await this.#readAll();
  }

  /** Reads what is unread, one query after the other. While the database is away, pages go on waiting. */
  async #readAll(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#unread.size > 0) await this.#readSome([...this.#unread].slice(0, batchSize));
    } catch (error) {
      this.#service.log.warn({ error }, 'Devices whose pages wait could not be read');
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
