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

/** Shows the picture and the fingerprint of this browser, with its actions. */
export function Overview({ reading: { current, durationMs }, isReading, onReadAgain }: OverviewProps) {
  const [error, setError] = useState<unknown>();
  const descriptor = parse(current)?.descriptor;
  // The package also keeps the fingerprint in memory, so the page must be reloaded.
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
          In the coloured parts, every four characters represent one facet. A change affects only its own four.
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
          {/* Not during a reading, which would save its result afterwards. */}
          <button type="button" aria-disabled={isReading} onClick={() => isReading || forgetAndReload()}>
            Forget this browser
          </button>
        </div>
        {error !== undefined && <ErrorNotice what="The saved data could not be removed." error={error} />}
      </div>
    </section>
  );
}
