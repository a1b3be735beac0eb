import { createSender, type MessageSender } from '../../src/messages/sender.js';
import { type MailServer, startMailServer } from '../unit/delivery/smtp.js';

/** A real mail server that a test can take away, and a sender to it. */
export interface Mailbox {
  readonly sender: MessageSender;
  readonly received: MailServer['received'];
  /** What becomes of the next mails: taken, put off, refused for good, or held until `release`. */
  behave(how: Behaviour): void;
  /** Takes the mails that are held. */
  release(): void;
  /** How many mails are held. */
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

/** The code that a mail says. */
export function codeIn({ parsed }: MailServer['received'][number]): string {
  const [, first = '', second = ''] = /^(\d{3}) (\d{3})$/m.exec(parsed.text ?? '') ?? [];
  return first + second;
}
