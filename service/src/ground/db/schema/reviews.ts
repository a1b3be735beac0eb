import type { ColumnType } from 'kysely';
import type { Verdict } from 'whorl/wire';
import type { ReviewCause, ReviewDecision } from '../../vocabulary.js';
import type { OptionalText, OptionalTime, Time } from './columns.js';

/** Evaluations that wait for a person, or did. */
export interface ReviewTable {
  world_id: string;
  evaluation_id: string;
  user_id: OptionalText;
  cause: ColumnType<ReviewCause, ReviewCause, never>;
  verdict: ColumnType<Verdict, Verdict, never>;
  /** Risk score in per cent. 0: none. */
  score: ColumnType<number, number, never>;
  created_at: Time;
  /** Who works on it, as the audit log names them, or did when it was decided. */
  taken_by: OptionalText;
  taken_until: OptionalTime;
  decision: ColumnType<ReviewDecision | null, null | undefined, ReviewDecision | null>;
  decided_by: OptionalText;
  decided_at: OptionalTime;
}
