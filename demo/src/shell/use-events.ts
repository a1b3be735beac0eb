import { useCallback, useEffect, useState } from 'react';
import type { Exchange, Message } from '../../server/api.js';

export interface Events {
  /** In the order in which they started. */
  readonly exchanges: readonly Exchange[];
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** Adds or updates an exchange. */
  readonly addExchange: (exchange: Exchange) => void;
}

/**
 * Returns the events of the demo's server while the page is open. After a reconnection, the server sends everything
 * again, which replaces the earlier data.
 */
export function useEvents(): Events {
  const [exchanges, setExchanges] = useState<ReadonlyMap<string, Exchange>>(new Map());
  const [messages, setMessages] = useState<ReadonlyMap<string, Message>>(new Map());
  const addExchange = useCallback((exchange: Exchange) => setExchanges((map) => withItem(map, exchange)), []);
  useEffect(() => {
    const source = new EventSource('api/events');
    source.addEventListener('exchange', ({ data }) => addExchange(JSON.parse(data)));
    source.addEventListener('message', ({ data }) => setMessages((map) => withItem(map, JSON.parse(data))));
    return () => source.close();
  }, [addExchange]);
  return { exchanges: [...exchanges.values()], messages: [...messages.values()], addExchange };
}

function withItem<Item extends { readonly id: string }>(map: ReadonlyMap<string, Item>, item: Item) {
  return new Map(map).set(item.id, item);
}
