import { type FormEvent, useState } from 'react';
import type { ChallengePage } from '../../server/api.js';
import { Heading } from '../shell/Heading.js';
import { Choice } from './Choice.js';
import { enterByBrowser, enterByServer, type Flow } from './enter.js';
import { ProblemNotice } from './ProblemNotice.js';
import type { LogInControl } from './use-log-in.js';

/** Shows the form for logging in or signing up. */
export function EntryStep({ whorl, problem, doing, run }: LogInControl) {
  const [isNew, setIsNew] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (doing || !whorl) return;
    const form = new FormData(event.currentTarget);
    const field = (name: string) => String(form.get(name) ?? '');
    const challenge_page: ChallengePage = field('challenge_page') === 'service' ? 'service' : 'own';
    const credentials = { email: field('email'), password: field('password'), challenge_page };
    if (isNew) void run(enterByServer('sign-up', { ...credentials, phone: field('phone') }));
    else if (field('flow') === 'browser') void run(enterByBrowser(whorl, credentials));
    else void run(enterByServer('log-in', credentials));
  };
  return (
    <>
      <div className="intro">
        <Heading>A login that recognises devices</Heading>
        <p className="muted">
          Sign up and log in, and the service recognises this browser. Log in from another browser, and you need a code
          once. Use a different browser, because two profiles of one browser on the same machine count as one device.
        </p>
      </div>
      <form className="card stack" onSubmit={submit}>
        <AccountSwitch isNew={isNew} onChange={setIsNew} />
        <Credentials isNew={isNew} />
        {isNew ? <PhoneNumber /> : <LogInChoices />}
        <div className="buttons">
          <button type="submit" className="primary" aria-disabled={doing !== undefined}>
            {isNew ? 'Sign up' : 'Log in'}
          </button>
          <span role="status" className="muted">
            {doing}
          </span>
        </div>
        <ProblemNotice problem={problem} />
      </form>
    </>
  );
}

function AccountSwitch({ isNew, onChange }: { readonly isNew: boolean; onChange(isNew: boolean): void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons, not fields of the form.
    <div className="buttons" role="group" aria-label="Log in or sign up">
      <button type="button" aria-pressed={!isNew} onClick={() => onChange(false)}>
        I have an account
      </button>
      <button type="button" aria-pressed={isNew} onClick={() => onChange(true)}>
        I am new here
      </button>
    </div>
  );
}

function Credentials({ isNew }: { readonly isNew: boolean }) {
  return (
    <>
      <Field name="email" label="Email address" type="email" autoComplete="username" />
      <Field
        name="password"
        label="Password"
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        {...(isNew && { hint: 'At least 8 characters. Only a hash is stored, in demo/data.', minLength: 8 })}
      />
    </>
  );
}

function PhoneNumber() {
  return (
    <Field
      name="phone"
      label="Phone number (optional)"
      type="tel"
      autoComplete="tel"
      required={false}
      hint="With + and the country code. Text messages arrive in the demo's mailbox, like emails."
    />
  );
}

function LogInChoices() {
  return (
    <details className="stack">
      <summary>Options</summary>
      <Choice name="flow" legend="Flow" choices={flows} />
      <Choice name="challenge_page" legend="Where to enter a code, if needed" choices={pages} />
    </details>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly autoComplete: string;
  readonly required?: boolean;
  readonly minLength?: number;
  readonly hint?: string;
}

function Field({ name, label, hint, required = true, ...input }: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {hint && (
        <p className="muted" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <input id={name} name={name} required={required} aria-describedby={hint && `${name}-hint`} {...input} />
    </div>
  );
}

const flows: Readonly<Record<Flow, { readonly title: string; readonly note: string }>> = {
  server: { title: 'Server flow', note: 'collect in the page; the server asks the service.' },
  browser: { title: 'Browser flow', note: 'evaluate in the page; the server consumes its token.' },
};

const pages: Readonly<Record<ChallengePage, { readonly title: string; readonly note: string }>> = {
  own: { title: 'Own page', note: "this application's, with challenges.send, verify and complete." },
  service: { title: "Service's page", note: 'the managed challenge page, which returns here.' },
};
