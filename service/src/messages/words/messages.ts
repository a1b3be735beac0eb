/** Texts in one language, as plain text. They are escaped when inserted into HTML. */
export interface Messages {
  /** Primary language subtag (BCP 47). */
  readonly language: string;
  readonly mail: {
    subject(project: string): string;
    /** Shown above the code. */
    intro(project: string): string;
    expiry(minutes: number): string;
    secrecy(project: string): string;
    notYou(project: string): string;
  };
  /** Text message without the line that binds the code to a site. At most 160 characters fit in one message. */
  text(code: string, project: string, minutes: number): string;
}
