import type { ReactNode } from 'react';
import type { LogInControl } from './use-log-in.js';

interface CodeFooterProps {
  readonly control: LogInControl;
  /** More actions, shown before the one that cancels. */
  readonly children?: ReactNode;
}

/** Shows where to find the code, and a button to cancel. */
export function CodeFooter({ control: { doing, logOut }, children }: CodeFooterProps) {
  return (
    <>
      <p>
        All messages arrive in <a href="#mailbox">the mailbox</a>.
      </p>
      <div className="buttons">
        {children}
        <button type="button" onClick={() => doing || logOut()}>
          Cancel
        </button>
        <span role="status" className="muted">
          {doing}
        </span>
      </div>
    </>
  );
}
