import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Message } from '../api.js';

const MAX_MESSAGES = 50;

type Received = Omit<Message, 'id' | 'receivedAt' | 'htmlPath'> & { readonly html?: string };

/** The messages to all recipients, because this is a demo. Keeps the newest 50 in memory. */
export class Mailbox {
  readonly #messages: Message[] = [];
  readonly #html = new Map<string, string>();
  readonly #events = new EventEmitter<{ message: [Message] }>().setMaxListeners(0);

  /** The messages, oldest first. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Returns the HTML version of a mail. */
  html(id: string): string | undefined {
    return this.#html.get(id);
  }

  add({ html, ...received }: Received): void {
    const id = randomUUID();
    const htmlPath = html === undefined ? {} : { htmlPath: `/mailbox/${id}.html` };
    const message = { id, ...received, ...htmlPath, receivedAt: new Date().toISOString() };
    if (html !== undefined) this.#html.set(id, html);
    this.#messages.push(message);
    for (const { id: oldest } of this.#messages.splice(0, this.#messages.length - MAX_MESSAGES))
      this.#html.delete(oldest);
    this.#events.emit('message', message);
  }

  /** @returns A function that removes the listener. */
  onMessage(listener: (message: Message) => void): () => void {
    this.#events.on('message', listener);
    return () => this.#events.off('message', listener);
  }
}
