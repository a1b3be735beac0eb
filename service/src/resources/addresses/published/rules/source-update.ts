import type { PublishedSource } from './sources-file.js';
import type { SourceState } from './update-state.js';

/** What is known about the updates of a source, for pages and commands. */
export interface SourceUpdate extends Pick<PublishedSource, 'name' | 'kind' | 'licence' | 'credit'> {
  /** Whether there is a file. */
  readonly isLoaded: boolean;
  /** Last new file. */
  readonly updatedAt?: Date;
  /** Last check that succeeded. */
  readonly checkedAt?: Date;
  readonly error?: { readonly at: Date; readonly text: string };
}

export function sourceUpdate(
  { name, kind, licence, credit }: PublishedSource,
  state: SourceState | undefined,
  isLoaded: boolean,
): SourceUpdate {
  const { updated_at: updatedAt, checked_at: checkedAt, error } = state ?? {};
  return {
    name,
    kind,
    licence,
    credit,
    isLoaded,
    ...(updatedAt !== undefined && { updatedAt: new Date(updatedAt) }),
    ...(checkedAt !== undefined && { checkedAt: new Date(checkedAt) }),
    ...(error && { error: { at: new Date(error.at), text: error.text } }),
  };
}
