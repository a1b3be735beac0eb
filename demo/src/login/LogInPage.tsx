import type { Exchange } from '../../server/api.js';
import { Panel } from '../panel/Panel.js';
import { ChallengeStep } from './ChallengeStep.js';
import { EntryStep } from './EntryStep.js';
import { InsideStep } from './InsideStep.js';
import { ProblemNotice } from './ProblemNotice.js';
import { ServicePageStep } from './ServicePageStep.js';
import type { LogInControl } from './use-log-in.js';

interface LogInPageProps {
  readonly control: LogInControl;
  readonly exchanges: readonly Exchange[];
}

/** Shows the login from the form through a code, if needed, to the page behind it, with the requests beside it. */
export function LogInPage({ control, exchanges }: LogInPageProps) {
  return (
    <div className="story">
      <main aria-busy={control.doing !== undefined}>
        <CurrentStep control={control} />
      </main>
      <Panel exchanges={exchanges} />
    </div>
  );
}

function CurrentStep({ control }: { readonly control: LogInControl }) {
  const { logIn, problem } = control;
  switch (logIn?.step) {
    case undefined:
      return problem ? <ProblemNotice problem={problem} /> : <p role="status">Contacting the server…</p>;
    case 'challenge':
      return logIn.page === 'service' ? (
        <ServicePageStep control={control} />
      ) : (
        <ChallengeStep control={control} challenge={logIn} />
      );
    case 'signed_in':
      return <InsideStep control={control} inside={logIn} />;
    default:
      return <EntryStep {...control} />;
  }
}
