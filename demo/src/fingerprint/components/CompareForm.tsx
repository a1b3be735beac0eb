import { type FormEvent, useState } from 'react';
import { CompareResult } from './CompareResult.js';

interface CompareFormProps {
  readonly current: string;
}

/** Accepts a fingerprint from another browser. */
export function CompareForm({ current }: CompareFormProps) {
  const [other, setOther] = useState('');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = new FormData(event.currentTarget).get('other');
    // A text copied from an email can contain line breaks.
    setOther(typeof text === 'string' ? text.replace(/\s/g, '') : '');
  };
  return (
    <section className="card stack" aria-labelledby="compare">
      <h2 id="compare">Compare with another browser</h2>
      <form onSubmit={submit} className="stack">
        <label htmlFor="other">Fingerprint of another browser</label>
        <p className="muted" id="other-hint">
          Open this page in another browser, in a private window or on another device, and paste its fingerprint here.
        </p>
        <textarea
          id="other"
          name="other"
          rows={3}
          required
          aria-describedby="other-hint"
          autoComplete="off"
          spellCheck={false}
        />
        <div className="buttons">
          <button type="submit" className="primary">
            Compare
          </button>
        </div>
      </form>
      <div aria-live="polite">{other && <CompareResult current={current} other={other} />}</div>
    </section>
  );
}
