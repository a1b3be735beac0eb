import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import type { ChallengeStep as Challenge } from '../../server/api.js';
import { Heading } from '../shell/Heading.js';
import { post } from './api.js';
import { CodeFooter } from './CodeFooter.js';
import { ProblemNotice } from './ProblemNotice.js';
import { Reasons } from './Reasons.js';
import { useCountdown } from './use-countdown.js';
import type { LogInControl } from './use-log-in.js';
import { channelWords } from './words.js';

interface ChallengeStepProps {
  readonly control: LogInControl;
  readonly challenge: Challenge;
}

/** Sends a code and verifies the visitor's input. */
export function ChallengeStep({ control, challenge }: ChallengeStepProps) {
  const { problem, doing, run } = control;
  const { verdict, reasons, channels, sent } = challenge;
  const wasSent = useRef(sent !== undefined);
  const send = (channel: string) => doing || run(() => post('challenge/send', { channel }));
  return (
    <>
      <div className="intro">
        <Heading>A code is needed</Heading>
        <p>The password is correct, but this login needs a code:</p>
        <Reasons reasons={reasons} />
        {verdict === 'challenge_and_restrict' && <p>Until you enter it, some actions are not available.</p>}
      </div>
      <div className="card stack">
        <ProblemNotice problem={problem} />
        {sent && (
          <CodeForm
            control={control}
            sentTo={`${channelWords[sent.channel]} to ${sent.to}`}
            takesFocus={!wasSent.current}
          />
        )}
        <SendButtons channels={channels} isAgain={sent !== undefined} problem={problem} onSend={send} />
        <CodeFooter control={control} />
      </div>
    </>
  );
}

interface CodeFormProps {
  readonly control: LogInControl;
  readonly sentTo: string;
  /** Whether the visitor has just requested the code. */
  readonly takesFocus: boolean;
}

function CodeForm({ control: { doing, run }, sentTo, takesFocus }: CodeFormProps) {
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!doing) void run(() => post('challenge/verify', { code }));
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="field">
        <label htmlFor="code">Code</label>
        <p className="muted" id="code-hint">
          Six digits, sent {sentTo}. The code is valid for ten minutes.
        </p>
        <input
          ref={field}
          id="code"
          name="code"
          className="code"
          value={code}
          onChange={({ target }) => setCode(target.value)}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          aria-describedby="code-hint"
        />
      </div>
      <div className="buttons">
        <button type="submit" className="primary" aria-disabled={doing !== undefined}>
          Enter
        </button>
      </div>
    </form>
  );
}

interface SendButtonsProps {
  readonly problem: LogInControl['problem'] | undefined;
  readonly channels: Challenge['channels'];
  readonly isAgain: boolean;
  readonly onSend: (channel: string) => void;
}

function SendButtons({ channels, isAgain, problem, onSend }: SendButtonsProps) {
  const seconds = useCountdown(problem);
  if (channels.length === 0) return <p>This account has no address for codes. Log in again with another account.</p>;
  return (
    <div className="buttons">
      {channels.map((channel) => (
        <button key={channel} type="button" className={isAgain ? '' : 'primary'} onClick={() => onSend(channel)}>
          {isAgain ? 'Send a new code' : 'Send a code'} {channelWords[channel]}
        </button>
      ))}
      {/* The notice says the same once. Screen readers would announce this every second. */}
      {seconds > 0 && (
        <span className="muted" aria-hidden="true">
          in {seconds} s
        </span>
      )}
    </div>
  );
}
