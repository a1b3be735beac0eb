/** All that is said in one language. Plain text: escaping is done where it is put into HTML. */
export interface Messages {
  /** The primary tag of the language (BCP 47). */
  readonly language: string;
  readonly mail: {
    subject(project: string): string;
    /** Stands above the code. */
    intro(project: string): string;
    expiry(minutes: number): string;
    secrecy(project: string): string;
    notYou(project: string): string;
  };
  /** All of a text message but the line that binds the code to a site. Short: 160 characters are one message. */
  text(code: string, project: string, minutes: number): string;
}
