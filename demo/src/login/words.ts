import type { Channel, Reason } from 'whorl/wire';
import words from './reason-words.json';

/** The reasons in words, for the visitor. Generated from the service's table of reasons. */
export const reasonWords: Readonly<Record<Reason, string>> = words;

export const channelWords: Readonly<Record<Channel, string>> = { email: 'by email', text: 'by text message' };
