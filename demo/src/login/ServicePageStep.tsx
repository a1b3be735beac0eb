import { Heading } from '../shell/Heading.js';
import { post } from './api.js';
import { CodeFooter } from './CodeFooter.js';
import { ProblemNotice } from './ProblemNotice.js';
import type { LogInControl } from './use-log-in.js';

/** While the code is entered on the service's page, or after the visitor came back from there without. */
export function ServicePageStep({ control }: { readonly control: LogInControl }) {
  const { problem, doing, run } = control;
  return (
    <>
      <div className="intro">
        <Heading>A code is needed</Heading>
        <p>It is entered on the service's page. The way there is good once: log in again for another.</p>
      </div>
      <div className="card stack">
        <ProblemNotice problem={problem} />
        <CodeFooter control={control}>
          <button type="button" className="primary" onClick={() => doing || run(() => post('challenge/check'))}>
            I have entered it
          </button>
        </CodeFooter>
      </div>
    </>
  );
}
