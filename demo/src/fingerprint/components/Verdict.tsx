import { type Comparison, facetGroups } from 'whorl/fingerprint';
import { percentOf, verdictOf } from '../words.js';

interface VerdictProps {
  readonly comparison: Comparison;
}

/** Shows the result of `compare` in words and figures. */
export function Verdict({ comparison }: VerdictProps) {
  const { confidence, bits, changed } = comparison;
  const groups = facetGroups.filter((group) => changed[group].length > 0);
  return (
    <div className="verdict">
      <p className="verdict-words">{verdictOf(comparison)}</p>
      <p className="muted">
        Probability that both are one browser: {percentOf(confidence)} ({bits.toFixed(1).replace('-', '−')} bits of
        evidence).
      </p>
      {groups.length === 0 ? (
        <p>No facet that is readable in both differs.</p>
      ) : (
        <dl className="changed">
          {groups.map((group) => (
            <div key={group}>
              <dt className={group}>Changed {group}</dt>
              <dd>{changed[group].join(', ')}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
