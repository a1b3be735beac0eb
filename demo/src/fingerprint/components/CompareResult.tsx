import { compare, parse, priors } from 'whorl/fingerprint';
import { describe } from '../words.js';
import { ErrorNotice } from './ErrorNotice.js';
import { Picture } from './Picture.js';
import { Verdict } from './Verdict.js';

interface CompareResultProps {
  readonly current: string;
  readonly other: string;
}

/** Shows this browser's fingerprint beside a pasted one. */
export function CompareResult({ current, other }: CompareResultProps) {
  const descriptor = parse(other)?.descriptor;
  try {
    const comparison = compare(current, other, { prior: priors.user });
    return (
      <div className="stack">
        <Verdict comparison={comparison} />
        <div className="side-by-side">
          <figure>
            <Picture fingerprint={current} compareWith={other} />
            <figcaption>This browser</figcaption>
          </figure>
          <figure>
            <Picture fingerprint={other} compareWith={current} />
            <figcaption>The other: {descriptor && describe(descriptor)}</figcaption>
          </figure>
        </div>
      </div>
    );
  } catch (error) {
    return <ErrorNotice what="The fingerprints could not be compared." error={error} />;
  }
}
