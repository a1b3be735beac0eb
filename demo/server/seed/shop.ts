import type { Whorl } from 'whorl/server';
import type { Evaluation, Metadata } from 'whorl/wire';
import type { Mailbox } from '../mailbox/mailbox.js';
import type { Clock } from './clock.js';
import type { Device } from './device.js';
import type { ChallengeOutcome, Tally } from './tally.js';

/** A customer of the shop. */
export interface Customer {
  readonly id: string;
  readonly email: string;
  readonly phone?: string;
}

/** An action of a customer, with its device and address. */
export interface CustomerAction {
  readonly action: string;
  readonly customer: Customer;
  readonly device: Device;
  readonly ip: string;
  /** Default: the device's own fingerprint. */
  readonly fingerprint?: string;
  readonly metadata?: Metadata;
}

/** How a customer reacts to a challenge. With `opens`, no code is requested. */
export type Answer =
  | { readonly how: 'completes'; readonly mistypes?: boolean; readonly kicks?: boolean }
  | { readonly how: 'skips' | 'opens' | 'ignores' };

/** An application with a login: how its server calls the service. */
export class Shop {
  readonly whorl: Whorl;
  readonly #clock: Clock;
  readonly #mailbox: Mailbox;
  readonly #tally: Tally;

  constructor(whorl: Whorl, { clock, mailbox, tally }: { clock: Clock; mailbox: Mailbox; tally: Tally }) {
    this.whorl = whorl;
    this.#clock = clock;
    this.#mailbox = mailbox;
    this.#tally = tally;
  }

  /** Imports a customer from before the service was introduced, with these devices. */
  async importCustomer(customer: Customer, devices: readonly Device[], ip: string): Promise<void> {
    this.#tally.user();
    for (const device of devices) {
      await this.whorl.devices.attach({
        user: customer.id,
        ...contactOf(customer),
        fingerprint: device.fingerprint,
        ip,
      });
      this.#tally.attached();
      device.acknowledge();
    }
  }

  async signUp(details: Omit<CustomerAction, 'action'>, answer?: Answer): Promise<Evaluation> {
    this.#tally.user();
    return this.do({ ...details, action: 'signup' }, answer);
  }

  /** Evaluates an action and applies the verdict. */
  async do(
    { action, customer, device, ip, fingerprint, metadata }: CustomerAction,
    answer?: Answer,
  ): Promise<Evaluation> {
    const evaluation = await this.whorl.evaluate({
      action,
      user: customer.id,
      ...contactOf(customer),
      ip,
      fingerprint: fingerprint ?? device.fingerprint,
      ...(device.lastFingerprint && fingerprint === undefined && { last_fingerprint: device.lastFingerprint }),
      ...(metadata && { metadata }),
    });
    this.#tally.evaluated(evaluation.verdict);
    device.acknowledge();
    const { challenge_id } = evaluation;
    if (challenge_id) this.#tally.challenged(await this.#answer(challenge_id, answer ?? { how: 'completes' }));
    return evaluation;
  }

  /** Reports a login with a wrong password. `user`: what was entered as the user's name. */
  async failLogIn({ user, device, ip }: { user: string; device: Device; ip: string }): Promise<Evaluation> {
    const evaluation = await this.whorl.reportFailure({ action: 'login', user, fingerprint: device.fingerprint, ip });
    this.#tally.failed();
    return evaluation;
  }

  async #answer(id: string, answer: Answer): Promise<ChallengeOutcome> {
    const { challenges } = this.whorl;
    if (answer.how === 'ignores') return 'left open';
    this.#clock.pass(8);
    const { channels, reasons, device_id, limit } = await challenges.open(id);
    if (answer.how === 'skips') {
      await challenges.skip(id);
      return 'skipped';
    }
    if (answer.how !== 'completes' || channels.length === 0) return 'left open';
    if (!(await this.#enterCode(id, answer.mistypes ?? false))) return 'left open';
    if (answer.kicks && reasons.includes('limit_exceeded') && limit.is_exceeded) await this.#kickOne(id, device_id);
    await challenges.complete(id);
    return 'completed';
  }

  async #enterCode(id: string, mistypes: boolean): Promise<boolean> {
    const { challenges } = this.whorl;
    this.#clock.pass(5);
    await challenges.send(id);
    const code = /\b\d{3} ?\d{3}\b/.exec(this.#mailbox.messages.at(-1)?.body ?? '')?.[0].replace(' ', '');
    if (code === undefined) throw new Error('No code was received.');
    this.#clock.pass(35);
    if (mistypes) await challenges.verify(id, { code: code === '111111' ? '222222' : '111111' });
    return (await challenges.verify(id, { code })).success;
  }

  /** Signs out the least recently used device. */
  async #kickOne(id: string, own: string | undefined): Promise<void> {
    const { data } = await this.whorl.challenges.devices(id);
    const [oldest] = data
      .filter(({ _id }) => _id !== own)
      .sort((a, b) => Date.parse(a.last_seen_at) - Date.parse(b.last_seen_at));
    if (oldest) await this.whorl.challenges.kick(id, { device: oldest._id });
  }
}

function contactOf({ email, phone }: Customer) {
  return { email, ...(phone && { phone }) };
}
