/** A way to send a code. */
export type Channel = 'text' | 'email';

/** The ways to send a code, in words. */
export const channelNames: Readonly<Record<Channel, string>> = { text: 'text message', email: 'email' };

/** The field of a challenge that has the masked address of a channel. */
export const addressFields = { text: 'phone', email: 'email' } as const satisfies Readonly<Record<Channel, string>>;

/** Compares names instead of looking them up, because a page pays for each byte. */
export function isChannel(value: unknown): value is Channel {
  return value === 'text' || value === 'email';
}
