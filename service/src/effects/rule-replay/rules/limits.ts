/** Number of days that a replay covers. */
export const replayDays = 30;
/** Maximum number of evaluations that a replay within a request reads. */
export const maxReplayedAtOnce = 10_000;
