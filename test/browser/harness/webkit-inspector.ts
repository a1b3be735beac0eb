import { connectTextSocket, type TextSocket } from './text-socket';
import { until } from './until';

/** The protocol sends JSON whose shape depends on the engine's version: each use checks the field it needs. */
export type Json = { [key: string]: unknown };

/** Error for a request to a document that was replaced before it responded. */
export class PageLeft extends Error {
  constructor() {
    super('The page went elsewhere before it answered');
  }
}

interface Pending {
  target: string;
  resolve: (result: Json) => void;
  reject: (error: Error) => void;
}

/**
 * One page of a WebKit that runs with WEBKIT_INSPECTOR_HTTP_SERVER, over its inspector's protocol. A page may move to
 * another process when it navigates: then it gets a new target, prepared before it takes over.
 */
export class WebKitInspector {
  #socket: TextSocket | undefined;
  #target: string | undefined;
  #lastId = 0;
  readonly #pending = new Map<number, Pending>();
  readonly #domains: string[];
  readonly #onEvent: (method: string, params: Json) => void;

  /** `domains` are enabled in each target, e.g. Console. */
  static async connect(
    url: string,
    domains: string[],
    onEvent: (method: string, params: Json) => void,
  ): Promise<WebKitInspector> {
    const inspector = new WebKitInspector(domains, onEvent);
    const socket = await connectTextSocket(url);
    inspector.#socket = socket;
    socket.listen((text) => inspector.#receive(JSON.parse(text)));
    await until('A page in the inspector', () => inspector.#target);
    return inspector;
  }

  private constructor(domains: string[], onEvent: (method: string, params: Json) => void) {
    this.#domains = domains;
    this.#onEvent = onEvent;
  }

  send(method: string, params: Json = {}, target = this.#target): Promise<Json> {
    if (!target) return Promise.reject(new Error('The page has gone'));
    const id = ++this.#lastId;
    const message = JSON.stringify({ id, method, params });
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { target, resolve, reject });
      this.#post('Target.sendMessageToTarget', { targetId: target, message });
    });
  }

  close(): void {
    this.#socket?.close();
    this.#drop(undefined);
  }

  #post(method: string, params: Json): void {
    this.#socket?.send(JSON.stringify({ id: ++this.#lastId, method, params }));
  }

  #receive({ method, params }: { method?: string; params?: Json }): void {
    switch (method) {
      case 'Target.targetCreated': {
        const info = toJson(params?.targetInfo);
        const id = String(info.targetId);
        if (info.isProvisional !== true) this.#target = id;
        for (const domain of this.#domains) this.send(`${domain}.enable`, {}, id).catch(() => {});
        break;
      }
      case 'Target.didCommitProvisionalTarget':
        this.#target = String(params?.newTargetId);
        this.#drop(String(params?.oldTargetId));
        break;
      case 'Target.targetDestroyed':
        this.#drop(String(params?.targetId));
        break;
      case 'Target.dispatchMessageFromTarget':
        this.#dispatch(String(params?.targetId), toJson(JSON.parse(String(params?.message))));
    }
  }

  #dispatch(target: string, message: Json): void {
    if (typeof message.id !== 'number') {
      const params = toJson(message.params);
      // Promises of the previous document never settle.
      if (message.method === 'Page.frameNavigated' && !toJson(params.frame).parentId) this.#drop(target);
      this.#onEvent(String(message.method), params);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.error) pending?.reject(new Error(`The inspector refused: ${JSON.stringify(message.error)}`));
    else pending?.resolve(toJson(message.result));
  }

  /** A closed target does not respond. */
  #drop(target: string | undefined): void {
    for (const [id, pending] of this.#pending) {
      if (target !== undefined && pending.target !== target) continue;
      this.#pending.delete(id);
      pending.reject(new PageLeft());
    }
  }
}

export function toJson(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
