import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { StartError } from '../start-error.js';

/** An account of the demo. The service knows it by `id`. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly phone?: string;
  readonly passwordHash: string;
}

/** The demo's own database: a file, which the owner alone can read. */
export class Users {
  readonly #file: string;
  readonly #byEmail: Map<string, User>;
  #writing = Promise.resolve();

  private constructor(file: string, users: readonly User[]) {
    this.#file = file;
    this.#byEmail = new Map(users.map((user) => [user.email, user]));
  }

  /** @throws StartError for a file that is not what was written. */
  static async open(file: string): Promise<Users> {
    return new Users(file, existsSync(file) ? parseUsers(await readFile(file, 'utf8'), file) : []);
  }

  static newId(): string {
    return randomUUID();
  }

  /** @param email In lower case, as it is kept. */
  withEmail(email: string): User | undefined {
    return this.#byEmail.get(email);
  }

  withId(id: string): User | undefined {
    return [...this.#byEmail.values()].find((user) => user.id === id);
  }

  /** Resolves when it is on the disk. */
  async add(user: User): Promise<void> {
    this.#byEmail.set(user.email, user);
    const write = async () => {
      const text = `${JSON.stringify([...this.#byEmail.values()], undefined, 2)}\n`;
      await writeFile(`${this.#file}.new`, text, { mode: 0o600 });
      await rename(`${this.#file}.new`, this.#file);
    };
    // One after the other; one that failed does not stop the next, which writes everything.
    this.#writing = this.#writing.then(write, write);
    await this.#writing;
  }
}

function parseUsers(text: string, file: string): User[] {
  try {
    const users: unknown = JSON.parse(text);
    if (Array.isArray(users) && users.every(isUser)) return users;
  } catch {
    // Told below.
  }
  throw new StartError(`${file} is not what the demo wrote. Remove its folder to begin anew.`);
}

function isUser(value: unknown): value is User {
  if (typeof value !== 'object' || value === null) return false;
  const { id, email, phone = '', passwordHash }: Partial<Record<keyof User, unknown>> = value;
  return [id, email, phone, passwordHash].every((text) => typeof text === 'string');
}
