import type { Lookup, Recognition } from '../recognition/linking/recognise.js';
import type { Gathered } from './gather.js';
import type { NormalisedRequest } from './normalised-request.js';
import type { Judgement } from './rules/judge.js';

/** Judged evaluation, with everything it was based on. */
export interface Judged {
  readonly normalised: NormalisedRequest;
  readonly recognition: Lookup;
  readonly gathered: Gathered;
  readonly judgement: Judgement;
}

/** Judged evaluation whose fingerprint is stored, so that it can have a device. */
export interface StoredJudged extends Judged {
  readonly recognition: Recognition;
}

/** IDs of the rows that an evaluation created or found. */
export interface Effects {
  readonly userId: string | undefined;
  readonly deviceId: string | undefined;
  readonly challengeId: string | undefined;
}
