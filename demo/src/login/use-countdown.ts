import { useEffect, useState } from 'react';
import type { Problem } from '../../server/api.js';

/** Returns the seconds left until the next attempt is allowed. */
export function useCountdown(problem: Problem | undefined): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const end = performance.now() + (problem?.waitSeconds ?? 0) * 1000;
    const count = () => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000)));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [problem]);
  return left;
}
