import { createSender, type MessageSender } from '../../src/testing.js';
import { type MailServer, startMailServer } from '../unit/delivery/smtp.js';

/** Mail server whose behaviour a test controls, and a sender that uses it. */
export interface Mailbox {
  readonly sender: MessageSender;
  readonly received: MailServer['received'];
  /** Sets how the next mails are handled: accepted, deferred, rejected permanently, or held until `release`. */
  behave(how: Behaviour): void;
  /** Accepts the held mails. */
  release(): void;
  /** Returns the number of held mails. */
  held(): number;
  close(): Promise<void>;
}

type Behaviour = 'takes' | 'puts_off' | 'refuses' | 'holds';

const replies = { puts_off: 451, refuses: 550 } as const;

export async function startMailbox(): Promise<Mailbox> {
  let behaviour: Behaviour = 'takes';
  const waiting: (() => void)[] = [];
  const server = await startMailServer({
    onRcptTo(_address, _session, done) {
      if (behaviour === 'holds') waiting.push(() => done());
      else if (behaviour === 'takes') done();
      else done(Object.assign(new Error('Not now'), { responseCode: replies[behaviour] }));
    },
  });
  const url = `smtp://127.0.0.1:${server.port}`;
  const sender = createSender({ mail: { url, from: 'no-reply@shop.example' } });
  return {
    sender,
    received: server.received,
    behave: (how) => {
      behaviour = how;
    },
    release: () => {
      behaviour = 'takes';
      for (const take of waiting.splice(0)) take();
    },
    held: () => waiting.length,
    async close() {
      sender.close();
      await server.close();
    },
  };
}

/** Returns the code in a mail. */
export function codeIn({ parsed }: MailServer['received'][number]): string {
  const [, first = '', second = ''] = /^(\d{3}) (\d{3})$/m.exec(parsed.text ?? '') ?? [];
  return first + second;
}
