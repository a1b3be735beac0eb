import { type ReactNode, useLayoutEffect, useRef } from 'react';

let isFirst = true;

/**
 * The heading of what has just come to be shown. It takes the focus, so that whoever does not see the page hears that it
 * is another one; but not when the page has only been loaded.
 */
export function Heading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Before it is painted: a little later, it would take the focus from where a quick visitor has put it.
  useLayoutEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
