import { type FormEvent, useId, useState } from 'react';
import { CompareResult } from '../fingerprint/components/CompareResult.js';
import { ErrorNotice } from '../fingerprint/components/ErrorNotice.js';
import { useReading } from '../fingerprint/use-reading.js';
import { Heading } from '../shell/Heading.js';
import { imagine, scenarios } from './scenarios.js';

/** Shows what would change this browser's fingerprint, and what two fingerprints have in common. */
export function PlaygroundPage() {
  const { isReading, reading, error } = useReading();
  return (
    <main aria-busy={isReading}>
      <div className="intro">
        <Heading>Playground</Heading>
        <p className="muted">Everything is calculated in this page and stays here.</p>
        <p role="status">{isReading ? 'Reading this browser…' : ''}</p>
      </div>
      {error !== undefined && <ErrorNotice what="This browser could not be read." error={error} />}
      {reading && <WhatIf current={reading.current} />}
      <CompareTwo current={reading?.current ?? ''} />
    </main>
  );
}

function WhatIf({ current }: { readonly current: string }) {
  const [index, setIndex] = useState(0);
  const scenario = scenarios[index];
  const imagined = scenario && imagine(current, scenario);
  return (
    <section className="card stack" aria-labelledby="what-if">
      <h2 id="what-if">What would change?</h2>
      <label htmlFor="scenario">What happens to this browser</label>
      <select id="scenario" value={index} onChange={({ target }) => setIndex(Number(target.value))}>
        {scenarios.map(({ name }, each) => (
          <option key={name} value={each}>
            {name}
          </option>
        ))}
      </select>
      <div className="stack" aria-live="polite">
        <p>{scenario?.note}</p>
        {imagined !== undefined && (
          <CompareResult
            current={current}
            other={imagined}
            elapsedDays={scenario?.elapsedDays}
            captions={['Now', 'Afterwards, invented']}
          />
        )}
      </div>
    </section>
  );
}

function CompareTwo({ current }: { readonly current: string }) {
  const [pair, setPair] = useState<readonly [string, string]>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setPair([textOf(data, 'first'), textOf(data, 'second')]);
  };
  return (
    <section className="card stack" aria-labelledby="two">
      <h2 id="two">What do two fingerprints have in common?</h2>
      <form onSubmit={submit} className="stack">
        <Field name="first" label="First fingerprint" value={current} />
        <Field name="second" label="Second fingerprint" value="" />
        <div className="buttons">
          <button type="submit" className="primary">
            Compare both
          </button>
        </div>
      </form>
      <div aria-live="polite">
        {pair && <CompareResult current={pair[0]} other={pair[1]} captions={['First', 'Second']} />}
      </div>
    </section>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** The initial value. */
  readonly value: string;
}

function Field({ name, label, value }: FieldProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <textarea
        key={value}
        id={id}
        name={name}
        rows={3}
        required
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}

/** A text copied from an email can contain line breaks. */
function textOf(data: FormData, name: string): string {
  return String(data.get(name) ?? '').replace(/\s/g, '');
}
