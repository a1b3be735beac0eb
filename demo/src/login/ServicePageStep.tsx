import { Heading } from '../shell/Heading.js';
import { post } from './api.js';
import { CodeFooter } from './CodeFooter.js';
import { ProblemNotice } from './ProblemNotice.js';
import type { LogInControl } from './use-log-in.js';

/** Shown while the code is entered on the service's page, or after a return without one. */
export function ServicePageStep({ control }: { readonly control: LogInControl }) {
  const { problem, doing, run } = control;
  return (
    <>
      <div className="intro">
        <Heading>A code is needed</Heading>
        <p>Enter it on the service's page. The link works once: to get a new one, log in again.</p>
      </div>
      <div className="card stack">
        <ProblemNotice problem={problem} />
        <CodeFooter control={control}>
          <button type="button" className="primary" onClick={() => doing || run(() => post('challenge/check'))}>
            I have entered the code
          </button>
        </CodeFooter>
      </div>
    </>
  );
}
