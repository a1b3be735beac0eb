import type { NoticeKind } from 'whorl/wire';
import type { AttemptWords } from './attempt.js';

/** Texts in one language, as plain text. They are escaped when inserted into HTML. */
export interface Messages {
  /** Primary language subtag (BCP 47). */
  readonly language: string;
  readonly mail: {
    subject(project: string): string;
    /** Shown above the code. */
    intro(project: string): string;
    /** Introduces the attempt that the code is for, and names its facts. */
    readonly attempt: { readonly intro: string } & Readonly<Record<keyof AttemptWords, string>>;
    expiry(minutes: number): string;
    secrecy(project: string): string;
    notYou(project: string): string;
    /** Precedes the link for somebody who did not ask for the code. */
    readonly disown: string;
  };
  /** Mails about a device or a contact. */
  readonly notices: Readonly<
    Record<NoticeKind, { subject(project: string): string; intro(project: string): string }>
  > & {
    /** For an address that was replaced. */
    readonly former: string;
    readonly wasYou: string;
    /** Precedes the link. */
    readonly notYou: string;
  };
  /** Parts of a text message, without the line that binds the code to a site. */
  readonly text: {
    code(code: string, project: string): string;
    /** Facts about the attempt. */
    attempt(facts: string): string;
    readonly secrecy: string;
    /** What somebody does who did not ask for the code. */
    readonly notYou: string;
    /** What they do next. */
    readonly password: string;
  };
}
