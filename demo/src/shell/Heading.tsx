import { type ReactNode, useLayoutEffect, useRef } from 'react';

let isFirst = true;

/**
 * The heading of a new view. It takes the focus, so that screen readers announce the view, but not when the page has
 * just loaded.
 */
export function Heading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Runs before painting, because a visitor could move the focus afterwards.
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
