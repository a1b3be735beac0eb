import { useEffect, useRef } from 'react';
import type { Exchange } from '../../server/api.js';
import { ExchangeItem } from './ExchangeItem.js';

/** What goes to and fro, as it happens. It is not read out by itself: what happens is said where it matters. */
export function Panel({ exchanges }: { readonly exchanges: readonly Exchange[] }) {
  const list = useRef<HTMLElement>(null);
  const count = exchanges.length;
  useEffect(() => {
    // Where the list scrolls by itself, its end is what is new.
    if (count > 0) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  const outer = exchanges.filter(({ within }) => !exchanges.some(({ id }) => id === within));
  return (
    <aside className="panel" aria-labelledby="panel">
      <h2 id="panel">What goes to and fro</h2>
      <p className="muted">
        Page, <span className="software">your server</span> and <span className="hardware">service</span>. Passwords are
        left out and tokens shortened; the API secret never leaves your server.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <section className="exchanges" tabIndex={0} aria-label="Requests and answers" ref={list}>
        {outer.length === 0 && <p className="muted">Nothing yet.</p>}
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

/** What a server asks the service in the course of a request. */
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
