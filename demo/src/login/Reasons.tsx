import type { Reason } from 'whorl/wire';
import { reasonWords } from './words.js';

/** Shows the reasons of a verdict. */
export function Reasons({ reasons }: { readonly reasons: readonly Reason[] }) {
  if (reasons.length === 0) return <p className="muted">Nothing unusual.</p>;
  return (
    <ul className="reasons">
      {reasons.map((reason) => (
        <li key={reason}>
          <code>{reason}</code>: {reasonWords[reason]}
        </li>
      ))}
    </ul>
  );
}
