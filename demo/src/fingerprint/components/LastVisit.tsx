import { compare, parse, priors } from 'whorl/fingerprint';
import type { BrowserReading } from '../read-browser.js';
import { agoOf } from '../words.js';
import { Fingerprint } from './Fingerprint.js';
import { Picture } from './Picture.js';
import { Verdict } from './Verdict.js';

interface LastVisitProps {
  readonly reading: BrowserReading;
}

/** Shows the saved fingerprint and how it compares with the current one. */
export function LastVisit({ reading: { current, last, elapsedDays } }: LastVisitProps) {
  return (
    <section className="card stack" aria-labelledby="last-visit">
      <h2 id="last-visit">Since the last visit</h2>
      {last ? (
        <ReturnVisit current={current} last={last} elapsedDays={elapsedDays} />
      ) : (
        <p>
          Nothing was saved before, so there is nothing to compare with. The fingerprint is saved now. Read again, or
          come back later.
        </p>
      )}
    </section>
  );
}

function ReturnVisit({ current, last, elapsedDays }: Pick<BrowserReading, 'current' | 'last' | 'elapsedDays'>) {
  if (!parse(last)) {
    return <p>The saved fingerprint has another format version and cannot be compared: {last}</p>;
  }
  // The fingerprint was in this browser's own storage, which is evidence in itself. Hence the strong prior.
  const comparison = compare(current, last, { elapsedDays: elapsedDays ?? 0, prior: priors.userWithLast });
  return (
    <div className="return-visit">
      <div className="stack">
        <p>
          {elapsedDays === undefined
            ? 'This browser has been here before, but the date is unknown.'
            : `This browser was last seen ${agoOf(elapsedDays)} with the fingerprint saved as the last one.`}
        </p>
        <Verdict comparison={comparison} />
        <h3>Current, saved now</h3>
        <Fingerprint value={current} />
        <h3>Last, saved before</h3>
        <Fingerprint value={last} />
      </div>
      <figure>
        <Picture fingerprint={current} compareWith={last} />
        <figcaption className="muted">Changed facets are drawn thicker, with an outline.</figcaption>
      </figure>
    </div>
  );
}
