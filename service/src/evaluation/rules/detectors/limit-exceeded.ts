import type { Detector } from '../finding.js';

/** The device does not count towards the user's limits yet, and one more would go over them. */
export const limitExceeded: Detector = ({ device, attached, settings, request }) => {
  if (device?.status === 'attached') return undefined;
  const kind = device?.kind ?? request.parsed?.descriptor.kind ?? 'unknown';
  const counted = kind === 'unknown' ? (['overall'] as const) : (['overall', kind] as const);
  const exceeded = counted.filter((name) => {
    const limit = settings.device_limit[name];
    return limit !== null && attached[name] + 1 > limit;
  });
  if (exceeded.length === 0) return undefined;
  return {
    reason: 'limit_exceeded',
    evidence: { kind, exceeded, attached: { ...attached }, limit: { ...settings.device_limit } },
  };
};
