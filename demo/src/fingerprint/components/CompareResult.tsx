import { compare, parse, priors } from 'whorl/fingerprint';
import { describe } from '../words.js';
import { ErrorNotice } from './ErrorNotice.js';
import { Picture } from './Picture.js';
import { Verdict } from './Verdict.js';

interface CompareResultProps {
  readonly current: string;
  readonly other: string;
  /** Default: 0. */
  readonly elapsedDays?: number | undefined;
  /** Default: this browser, and what the other one is. */
  readonly captions?: readonly [current: string, other: string];
}

/** Shows two fingerprints beside each other, and what they have in common. */
export function CompareResult({ current, other, elapsedDays, captions }: CompareResultProps) {
  const descriptor = parse(other)?.descriptor;
  const [ofCurrent, ofOther] = captions ?? ['This browser', `The other: ${descriptor ? describe(descriptor) : ''}`];
  try {
    const comparison = compare(current, other, { prior: priors.user, ...(elapsedDays && { elapsedDays }) });
    return (
      <div className="stack">
        <Verdict comparison={comparison} />
        <div className="side-by-side">
          <figure>
            <Picture fingerprint={current} compareWith={other} />
            <figcaption>{ofCurrent}</figcaption>
          </figure>
          <figure>
            <Picture fingerprint={other} compareWith={current} />
            <figcaption>{ofOther}</figcaption>
          </figure>
        </div>
      </div>
    );
  } catch (error) {
    return <ErrorNotice what="The fingerprints could not be compared." error={error} />;
  }
}
