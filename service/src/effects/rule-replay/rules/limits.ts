/** Number of days that a replay covers. */
export const replayDays = 30;
