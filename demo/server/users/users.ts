import { randomUUID } from 'node:crypto';
import { readSaved, save } from '../saved-file.js';

/** An account of the demo. The service knows it by `id`. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly phone?: string;
  readonly passwordHash: string;
}

/** The demo's own database: a file that only its owner can read. */
export class Users {
  readonly #file: string;
  readonly #byEmail: Map<string, User>;
  #writing = Promise.resolve();

  private constructor(file: string, users: readonly User[]) {
    this.#file = file;
    this.#byEmail = new Map(users.map((user) => [user.email, user]));
  }

  /** Opens the file. @throws StartError for invalid content. */
  static async open(file: string): Promise<Users> {
    return new Users(file, (await readSaved(file, parseUsers)) ?? []);
  }

  static newId(): string {
    return randomUUID();
  }

  /** @param email In lower case, as it is stored. */
  withEmail(email: string): User | undefined {
    return this.#byEmail.get(email);
  }

  withId(id: string): User | undefined {
    return [...this.#byEmail.values()].find((user) => user.id === id);
  }

  /** Resolves when the user is on disk. */
  async add(user: User): Promise<void> {
    this.#byEmail.set(user.email, user);
    const write = () => save(this.#file, [...this.#byEmail.values()]);
    // Writes run one at a time. A failed write does not stop the next one, which writes everything.
    this.#writing = this.#writing.then(write, write);
    await this.#writing;
  }
}

function parseUsers(text: string): User[] | undefined {
  const users: unknown = JSON.parse(text);
  return Array.isArray(users) && users.every(isUser) ? users : undefined;
}

function isUser(value: unknown): value is User {
  if (typeof value !== 'object' || value === null) return false;
  const { id, email, phone = '', passwordHash }: Partial<Record<keyof User, unknown>> = value;
  return [id, email, phone, passwordHash].every((text) => typeof text === 'string');
}
