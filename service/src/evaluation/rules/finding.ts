import type { ReasonEvidence } from 'whorl/wire';
import type { Facts } from './facts.js';

/** What a detector noticed. Its evidence holds names, counts and ids, and no personal data. */
export type Finding = Readonly<ReasonEvidence>;

/** Notices one reason, or nothing. What it does to the verdict is the policy's concern. */
export type Detector = (facts: Facts) => Finding | undefined;
