import { useEffect, useSyncExternalStore } from 'react';

/** The views by the fragment of the URL. */
export const views = {
  '': 'Log in',
  '#fingerprint': 'Fingerprint',
  '#playground': 'Playground',
  '#mailbox': 'Mailbox',
} as const;
export type View = keyof typeof views;

/** Returns the view in the URL, which makes reloading, going back and linking work. */
export function useRoute(): View {
  const view = useSyncExternalStore(onChange, readView);
  useEffect(() => {
    document.title = `${views[view]} – Whorl demo`;
  }, [view]);
  return view;
}

function onChange(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

function readView(): View {
  const { hash } = location;
  return isView(hash) ? hash : '';
}

function isView(hash: string): hash is View {
  return Object.keys(views).includes(hash);
}
