import { z } from '@hono/zod-openapi';
import { isStorable, storableMessage } from './text.js';

/** What a device or a user may hold in all, as JSON. */
export const metadataBytes = 16 * 1024;
/** Deeper than this, neither JSON's own readers nor the database's are sure to follow. */
const deepest = 32;

/** Free-form data of the customer's own: JSON of 16 KiB, 32 levels deep at most. */
export const metadata = () =>
  z
    .record(z.string(), z.unknown())
    .superRefine((value, context) => {
      const problem = problemOf(value, deepest);
      if (problem) context.addIssue({ code: 'custom', message: problem });
      else if (Buffer.byteLength(JSON.stringify(value)) > metadataBytes) {
        context.addIssue({ code: 'custom', message: `must have at most ${metadataBytes} bytes as JSON` });
      }
    })
    .openapi({ type: 'object', description: 'Free-form data of your own: JSON of 16 KiB at most.' });

/** As it is answered. */
export const storedMetadata = () => z.record(z.string(), z.unknown());

function problemOf(value: unknown, levels: number): string | undefined {
  if (typeof value === 'string' && !isStorable(value)) return storableMessage;
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `must be nested at most ${deepest} levels deep`;
  const parts = Array.isArray(value) ? value : Object.entries(value).flat();
  for (const part of parts) {
    const problem = problemOf(part, levels - 1);
    if (problem) return problem;
  }
  return undefined;
}
