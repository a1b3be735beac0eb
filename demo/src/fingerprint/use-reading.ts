import { useCallback, useEffect, useState } from 'react';
import { type BrowserReading, readBrowser } from './read-browser.js';

export interface ReadingState {
  readonly isReading: boolean;
  readonly reading?: BrowserReading;
  readonly error?: unknown;
}

/** Reads this browser when the page opens, and again on request. The earlier result stays during a new reading. */
export function useReading(): ReadingState & { readonly readAgain: () => void } {
  const [state, setState] = useState<ReadingState>({ isReading: true });
  const read = useCallback(
    () =>
      readBrowser().then(
        (reading) => setState({ isReading: false, reading }),
        (error: unknown) => setState({ isReading: false, error }),
      ),
    [],
  );
  useEffect(() => void read(), [read]);
  const readAgain = useCallback(() => {
    setState((earlier) => ({ ...earlier, isReading: true }));
    void read();
  }, [read]);
  return { ...state, readAgain };
}
