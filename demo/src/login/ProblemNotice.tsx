import type { Problem } from '../../server/api.js';
import { Reasons } from './Reasons.js';

/** Shows an error. Screen readers announce it when it appears. */
export function ProblemNotice({ problem }: { readonly problem: Problem | undefined }) {
  return (
    <div role="alert">
      {problem && (
        <div className="notice">
          <p>{problem.message}</p>
          {problem.reasons && <Reasons reasons={problem.reasons} />}
        </div>
      )}
    </div>
  );
}
