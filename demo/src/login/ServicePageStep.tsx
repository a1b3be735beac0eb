import { Heading } from '../shell/Heading.js';
import { post } from './api.js';
import { ProblemNotice } from './ProblemNotice.js';
import type { LogInControl } from './use-log-in.js';

/** While the code is entered on the service's page, or after the visitor came back from there without. */
export function ServicePageStep({ control }: { readonly control: LogInControl }) {
  const { problem, doing, run, logOut } = control;
  return (
    <>
      <div className="intro">
        <Heading>A code is needed</Heading>
        <p>It is entered on the service's page. The way there is good once: log in again for another.</p>
      </div>
      <div className="card stack">
        <ProblemNotice problem={problem} />
        <p>
          Whatever is sent ends in <a href="#mailbox">the mailbox</a>.
        </p>
        <div className="buttons">
          <button type="button" className="primary" onClick={() => doing || run(() => post('challenge/check'))}>
            I have entered it
          </button>
          <button type="button" onClick={() => doing || logOut()}>
            Give up
          </button>
          <span role="status" className="muted">
            {doing}
          </span>
        </div>
      </div>
    </>
  );
}
