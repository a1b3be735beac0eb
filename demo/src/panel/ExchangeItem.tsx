import type { Exchange } from '../../server/api.js';

const senders = { page: 'Page', server: 'Your server', service: 'Service' } as const;
const receivers = { server: 'your server', service: 'service' } as const;

/** Shows one request and its response, collapsed. */
export function ExchangeItem({ exchange }: { readonly exchange: Exchange }) {
  const { from, to, method, path, request, answer } = exchange;
  return (
    <details className={`exchange to-${to}`}>
      <summary>
        <span className="ends">
          {senders[from]} → {receivers[to]}
        </span>
        <span className="outcome">{outcomeOf(exchange)}</span>
        <code>
          {method} {shortPath(path)}
        </code>
      </summary>
      {request !== undefined && <Content name="Request" value={request} />}
      {answer !== undefined && <Content name="Response" value={answer} />}
      {request === undefined && answer === undefined && <p className="muted">No body.</p>}
    </details>
  );
}

function Content({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <h3>{name}</h3>
      <pre>{JSON.stringify(value, undefined, 2)}</pre>
    </>
  );
}

function outcomeOf({ status, durationMs }: Exchange): string {
  if (status === undefined) return '…';
  return [status === 0 ? 'no response' : status, durationMs !== undefined && `${durationMs} ms`]
    .filter(Boolean)
    .join(', ');
}

/** Shortens IDs to their last characters, which differ. */
function shortPath(path: string): string {
  return path.replace(/[0-9a-f]{8}-[0-9a-f-]{19}([0-9a-f]{8})/g, '…$1');
}
