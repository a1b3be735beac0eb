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

/** What is behind the login. */
export function InsideStep({ control, inside }: InsideStepProps) {
  const { email, rights, verdict, reasons } = inside;
  const { problem, doing, logOut } = control;
  return (
    <>
      <div className="intro">
        <Heading>You are in</Heading>
        <p role="status">{statusOf(inside)}</p>
      </div>
      <section className="card stack" aria-labelledby="account">
        <h2 id="account">{email}</h2>
        {rights === 'few' && (
          <p className="notice">
            With less allowed: a shop would hold payouts back, and have a person look at this account.
          </p>
        )}
        <p>
          The verdict was <code>{verdict}</code>. What was noticed:
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
  if (byCode) return 'The code was right. This device is trusted now: from here it will not be asked for a code again.';
  if (verdict === 'restrict') return 'No code was asked for, but something is unusual.';
  return reasons.includes('new_device')
    ? 'This device is the first of the account, and trusted from now on.'
    : 'This device is known: no code was asked for.';
}
