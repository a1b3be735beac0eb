import { useCallback, useEffect, useState } from 'react';
import type { Exchange, Message } from '../../server/api.js';

export interface Events {
  /** In the order in which they began. */
  readonly exchanges: readonly Exchange[];
  /** The oldest first. */
  readonly messages: readonly Message[];
  /** Adds an exchange, or what is new of one. */
  readonly addExchange: (exchange: Exchange) => void;
}

/** What the demo's server tells while the page is open. After a break it tells all again: what is there is replaced. */
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
