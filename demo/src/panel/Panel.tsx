import { useEffect, useRef } from 'react';
import type { Exchange } from '../../server/api.js';
import { ExchangeItem } from './ExchangeItem.js';

/**
 * Shows requests and responses as they happen. Screen readers do not announce them: results are announced elsewhere.
 */
export function Panel({ exchanges }: { readonly exchanges: readonly Exchange[] }) {
  const list = useRef<HTMLElement>(null);
  const count = exchanges.length;
  useEffect(() => {
    // If the list scrolls, show its end, where new items appear.
    if (count > 0) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  const outer = exchanges.filter(({ within }) => !exchanges.some(({ id }) => id === within));
  return (
    <aside className="panel" aria-labelledby="panel">
      <h2 id="panel">Requests</h2>
      <p className="muted">
        Page, <span className="software">your server</span> and <span className="hardware">service</span>. Passwords are
        omitted and tokens shortened. The API secret never leaves your server.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard. */}
      <section className="exchanges" tabIndex={0} aria-label="Requests and responses" ref={list}>
        {outer.length === 0 && <p className="muted">No requests yet.</p>}
        <ol>
          {outer.map((exchange) => (
            <li key={exchange.id}>
              <ExchangeItem exchange={exchange} />
              <Inner exchanges={exchanges.filter(({ within }) => within === exchange.id)} />
            </li>
          ))}
        </ol>
      </section>
    </aside>
  );
}

/** Shows the calls to the service that a server makes during a request. */
function Inner({ exchanges }: { readonly exchanges: readonly Exchange[] }) {
  if (exchanges.length === 0) return null;
  return (
    <ol>
      {exchanges.map((exchange) => (
        <li key={exchange.id}>
          <ExchangeItem exchange={exchange} />
        </li>
      ))}
    </ol>
  );
}
