import { stat } from 'node:fs/promises';

/** Result of checking a file for changes. */
export type Check =
  | { readonly result: 'same' | 'changing' | 'replaced' }
  | { readonly result: 'refused'; readonly reason: string };

interface LiveFileOptions<Content> {
  readonly path: string;
  /** Reads the file, which was last changed at this time. Throws if it is not valid. */
  readonly read: (path: string, changedAt: Date) => Promise<Content>;
}

/** Content of a file that is read again after the file changed. A file that cannot be read never replaces a valid one. */
export class LiveFile<Content> {
  readonly path: string;
  readonly #read: LiveFileOptions<Content>['read'];
  #content: Content;
  /** State of the file when it was last read, valid or not. */
  #readState: string;
  /** State at the last check: a file is read only once its state stays the same, because it may still be written. */
  #seenState: string;

  private constructor({ path, read }: LiveFileOptions<Content>, content: Content, state: string) {
    this.path = path;
    this.#read = read;
    this.#content = content;
    this.#readState = state;
    this.#seenState = state;
  }

  /**
   * Reads a file.
   *
   * @throws Error of the file system, or of `read`.
   */
  static async open<Content>(options: LiveFileOptions<Content>): Promise<LiveFile<Content>> {
    const state = await stateOf(options.path);
    return new LiveFile(options, await options.read(options.path, state.changedAt), state.key);
  }

  /**
   * Reads a file that may appear later. Until it is there and valid, the content is undefined. Returns also why it is not.
   */
  static async openWhenThere<Content>(
    options: LiveFileOptions<Content>,
  ): Promise<{ readonly file: LiveFile<Content | undefined>; readonly problem?: string }> {
    const { path, read } = options;
    const state = await stateOf(path).catch((error: unknown) => ({ key: missingKey(error), error }));
    try {
      if ('error' in state) throw state.error;
      return { file: new LiveFile<Content | undefined>(options, await read(path, state.changedAt), state.key) };
    } catch (error) {
      return { file: new LiveFile<Content | undefined>(options, undefined, state.key), problem: reasonOf(error) };
    }
  }

  get content(): Content {
    return this.#content;
  }

  /** Reads the file again if it has changed and is no longer changing. Reports each state of a refused file once. */
  async check(): Promise<Check> {
    const state = await stateOf(this.path).catch((error: unknown) => ({ key: missingKey(error), error }));
    if (state.key === this.#readState) {
      this.#seenState = state.key;
      return { result: 'same' };
    }
    if (state.key !== this.#seenState) {
      this.#seenState = state.key;
      return { result: 'changing' };
    }
    this.#readState = state.key;
    if ('error' in state) return { result: 'refused', reason: reasonOf(state.error) };
    try {
      this.#content = await this.#read(this.path, state.changedAt);
      return { result: 'replaced' };
    } catch (error) {
      return { result: 'refused', reason: reasonOf(error) };
    }
  }
}

function missingKey(error: unknown): string {
  return `missing: ${reasonOf(error)}`;
}

interface FileState {
  readonly key: string;
  readonly changedAt: Date;
}

async function stateOf(path: string): Promise<FileState> {
  const { mtime, mtimeMs, size, ino } = await stat(path);
  return { key: `${ino} ${size} ${mtimeMs}`, changedAt: mtime };
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'the file is not readable for this user',
  EISDIR: 'it is a folder',
};

/** Returns why a file was refused, without its path. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return (code !== undefined && (fileProblems[code] ?? code)) || error.message;
}
