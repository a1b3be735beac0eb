import type { SignedInStep } from '../../server/api.js';
import { Heading } from '../shell/Heading.js';
import { Devices } from './Devices.js';
import { ProblemNotice } from './ProblemNotice.js';
import { Reasons } from './Reasons.js';
import type { LogInControl } from './use-log-in.js';

interface InsideStepProps {
  readonly control: LogInControl;
  readonly inside: SignedInStep;
}

/** Shows the page after login. */
export function InsideStep({ control, inside }: InsideStepProps) {
  const { email, rights, verdict, reasons } = inside;
  const { problem, doing, logOut } = control;
  return (
    <>
      <div className="intro">
        <Heading>You are logged in</Heading>
        <p role="status">{statusOf(inside)}</p>
      </div>
      <section className="card stack" aria-labelledby="account">
        <h2 id="account">{email}</h2>
        {rights === 'few' && (
          <p className="notice">
            Some actions are not available. A shop would hold back payouts and have a person review this account.
          </p>
        )}
        <p>
          The verdict was <code>{verdict}</code>. Reasons:
        </p>
        <Reasons reasons={reasons} />
        <div className="buttons">
          <button type="button" className="primary" onClick={() => doing || logOut()}>
            Log out
          </button>
          <span role="status" className="muted">
            {doing}
          </span>
        </div>
        <ProblemNotice problem={problem} />
      </section>
      <Devices control={control} />
    </>
  );
}

function statusOf({ byCode, verdict, reasons }: SignedInStep): string {
  if (byCode) return 'The code was correct. This device is now trusted and will not need a code here again.';
  if (verdict === 'restrict') return 'No code was needed, but something is unusual.';
  return reasons.includes('new_device')
    ? 'This is the first device of the account, and it is now trusted.'
    : 'This device is known, so no code was needed.';
}
