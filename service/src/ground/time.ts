/** Common durations. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const minuteSeconds = minuteMs / 1000;
export const hourSeconds = hourMs / 1000;
export const daySeconds = dayMs / 1000;
export const yearSeconds = 365 * daySeconds;
