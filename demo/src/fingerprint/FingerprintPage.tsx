import { Heading } from '../shell/Heading.js';
import { changedFacets } from './changed-facets.js';
import { CompareForm } from './components/CompareForm.js';
import { ErrorNotice } from './components/ErrorNotice.js';
import { Facets } from './components/Facets.js';
import { Integrity } from './components/Integrity.js';
import { LastVisit } from './components/LastVisit.js';
import { Overview } from './components/Overview.js';
import { type ReadingState, useReading } from './use-reading.js';

/** Shows what a fingerprint consists of. */
export function FingerprintPage() {
  const { readAgain, ...state } = useReading();
  const { isReading, reading, error } = state;
  return (
    <main aria-busy={isReading}>
      <div className="intro">
        <Heading>The fingerprint of this browser</Heading>
        <p className="muted">
          Everything is read in this page and stays here: nothing is sent anywhere. Any site can read it without
          permission.
        </p>
        <p role="status">{statusOf(state)}</p>
      </div>
      {error !== undefined && (
        <div className="card stack">
          <ErrorNotice what="This browser could not be read." error={error} />
          <div className="buttons">
            <button type="button" className="primary" onClick={readAgain}>
              Try again
            </button>
          </div>
        </div>
      )}
      {reading && (
        <>
          <Overview reading={reading} isReading={isReading} onReadAgain={readAgain} />
          <LastVisit reading={reading} />
          <CompareForm current={reading.current} />
          <Facets reading={reading} />
          <Integrity fingerprint={reading.current} />
        </>
      )}
    </main>
  );
}

function statusOf({ isReading, reading, error }: ReadingState): string {
  if (isReading) return 'Reading this browser…';
  if (error !== undefined || !reading) return '';
  const { current, last } = reading;
  if (!last) return 'This is the first visit of this browser.';
  const changed = changedFacets(current, last);
  if (!changed) return 'This browser has been here before, with an older fingerprint format.';
  return changed.length === 0
    ? 'This browser has been here before, and no facet has changed.'
    : `This browser has been here before. Changed since: ${changed.join(', ')}.`;
}
