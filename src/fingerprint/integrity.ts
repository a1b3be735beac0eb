/**
 * The meaning of each bit of the integrity facet, from the lowest bit up. The bits are evidence, not a verdict, and are
 * created in the page: a set bit is meaningful, a clean facet proves nothing. `noise` is not tampering, because some
 * browsers add noise for everyone.
 */
export const integrityBits = [
  'webdriver',
  'headless_user_agent',
  'driver_traces',
  'proxied_function',
  'accepts_wrong_receiver',
  'inconsistent_getter',
  'resolution_contradiction',
  'engine_contradiction',
  'system_contradiction',
  'worker_contradiction',
  'canvas_noise',
  'audio_noise',
  'inspected',
  'scripted_function',
  'unreadable_check',
] as const;

/** The name of one bit of the integrity facet. */
export type IntegrityBit = (typeof integrityBits)[number];

/** Returns the names of the bits that are set, in the order of the table. */
export function readIntegrity(integrity: number): IntegrityBit[] {
  return integrityBits.filter((_, index) => (integrity >> index) & 1);
}
