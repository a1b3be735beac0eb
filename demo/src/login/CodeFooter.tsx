import type { ReactNode } from 'react';
import type { LogInControl } from './use-log-in.js';

interface CodeFooterProps {
  readonly control: LogInControl;
  /** More to do, before giving up. */
  readonly children?: ReactNode;
}

/** Where a code is found, and the way out. */
export function CodeFooter({ control: { doing, logOut }, children }: CodeFooterProps) {
  return (
    <>
      <p>
        Whatever is sent ends in <a href="#mailbox">the mailbox</a>.
      </p>
      <div className="buttons">
        {children}
        <button type="button" onClick={() => doing || logOut()}>
          Give up
        </button>
        <span role="status" className="muted">
          {doing}
        </span>
      </div>
    </>
  );
}
