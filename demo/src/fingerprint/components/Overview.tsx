import { useState } from 'react';
import { parse } from 'whorl/fingerprint';
import { forget } from '../forget.js';
import type { BrowserReading } from '../read-browser.js';
import { describe, millisecondsOf } from '../words.js';
import { CopyButton } from './CopyButton.js';
import { ErrorNotice } from './ErrorNotice.js';
import { Fingerprint } from './Fingerprint.js';
import { Legend } from './Legend.js';
import { Picture } from './Picture.js';

interface OverviewProps {
  readonly reading: BrowserReading;
  readonly isReading: boolean;
  readonly onReadAgain: () => void;
}

/** The picture and the fingerprint of this browser, and what can be done with them. */
export function Overview({ reading: { current, durationMs }, isReading, onReadAgain }: OverviewProps) {
  const [error, setError] = useState<unknown>();
  const descriptor = parse(current)?.descriptor;
  // The package remembers in memory too, so only a new page has forgotten.
  const forgetAndReload = () => forget().then(() => location.reload(), setError);
  return (
    <section className="card overview" aria-labelledby="own">
      <div>
        <Picture fingerprint={current} />
        <Legend />
      </div>
      <div className="stack">
        <h2 id="own">Your fingerprint</h2>
        <p className="muted">
          {descriptor && describe(descriptor)}. Read in {millisecondsOf(durationMs)} ms.
        </p>
        <Fingerprint value={current} id="own-fingerprint" />
        <div className="buttons">
          <CopyButton text={current} shownIn="own-fingerprint" />
        </div>
        <p className="muted">
          In the coloured parts, every four characters stand for one facet. What changes, changes only its own four.
        </p>
        <div className="buttons">
          <button
            type="button"
            className="primary"
            aria-disabled={isReading}
            onClick={() => isReading || onReadAgain()}
          >
            Read again
          </button>
          {/* Not while it reads: what a reading saves after that would be there again. */}
          <button type="button" aria-disabled={isReading} onClick={() => isReading || forgetAndReload()}>
            Forget this browser
          </button>
        </div>
        {error !== undefined && <ErrorNotice what="What is saved could not be removed." error={error} />}
      </div>
    </section>
  );
}
