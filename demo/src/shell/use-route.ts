import { useEffect, useSyncExternalStore } from 'react';

/** The views, by what stands behind # in the address. */
export const views = { '': 'Log in', '#fingerprint': 'Fingerprint', '#mailbox': 'Mailbox' } as const;
export type View = keyof typeof views;

/** The view that the address asks for. In the address, so that it can be reloaded, gone back from and linked to. */
export function useRoute(): View {
  const view = useSyncExternalStore(onChange, readView);
  useEffect(() => {
    document.title = `${views[view]} – Whorl demo`;
  }, [view]);
  return view;
}

function onChange(follow: () => void): () => void {
  addEventListener('hashchange', follow);
  return () => removeEventListener('hashchange', follow);
}

function readView(): View {
  const { hash } = location;
  return isView(hash) ? hash : '';
}

function isView(hash: string): hash is View {
  return Object.keys(views).includes(hash);
}
