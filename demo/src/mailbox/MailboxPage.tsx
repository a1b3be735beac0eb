import type { Message } from '../../server/api.js';
import { Heading } from '../shell/Heading.js';

/** Shows all messages that the demo sent, newest first. */
export function MailboxPage({ messages }: { readonly messages: readonly Message[] }) {
  return (
    <main>
      <div className="intro">
        <Heading>Mailbox</Heading>
        <p className="muted">
          The service sends real emails over SMTP and text messages over HTTP. All of them arrive here, and are deleted
          when the demo stops. Do not use addresses or passwords that you use elsewhere.
        </p>
        <p role="status">{statusOf(messages.length)}</p>
      </div>
      {[...messages].reverse().map((message) => (
        <MessageCard key={message.id} message={message} />
      ))}
    </main>
  );
}

function statusOf(count: number): string {
  if (count === 0) return 'No messages yet.';
  return count === 1 ? '1 message.' : `${count} messages.`;
}

function MessageCard({ message }: { readonly message: Message }) {
  const { id, to, subject, body, htmlPath, receivedAt } = message;
  const code = /\b(\d{3}) ?(\d{3})\b/.exec(body);
  return (
    <article className="card stack message" aria-labelledby={id}>
      <h2 id={id}>{subject ?? 'Text message'}</h2>
      <p className="muted">
        To {to}, <Time at={receivedAt} />
      </p>
      {code && (
        <p>
          <code className="big-code">
            {code[1]} {code[2]}
          </code>
        </p>
      )}
      <pre>{body}</pre>
      {htmlPath && (
        <p>
          <a href={htmlPath}>The email as HTML</a>
        </p>
      )}
    </article>
  );
}

function Time({ at }: { readonly at: string }) {
  return <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time>;
}
