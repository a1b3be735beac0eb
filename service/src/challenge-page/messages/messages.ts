import type { NoticeKind } from 'whorl/wire';
import type { Language } from '../../ground/vocabulary.js';
import type { Cause, Notice } from '../rules.js';

/** Texts of the managed challenge page in one language. Plain text: it is escaped when inserted into HTML. */
export interface PageMessages {
  /** Primary language tag (BCP 47). */
  readonly language: Language;
  readonly titles: {
    readonly check: string;
    readonly confirm: string;
    readonly another: string;
    readonly ask: string;
    readonly enter: string;
    /** The code was used up or has expired, and another one can be requested. */
    readonly renew: string;
    readonly noMoreCodes: string;
    readonly devices: string;
    readonly unreachable: string;
    readonly own_factor: string;
    readonly done: string;
    readonly disown: string;
    readonly disowned: string;
    readonly notice: string;
    readonly noticed: string;
    readonly confirmed: string;
    readonly ended: string;
    readonly expired: string;
    readonly invalid_link: string;
    readonly failed: string;
    readonly busy: string;
  };
  /** Why a code is required. */
  cause(cause: Cause | undefined, project: string): string;
  /** Shown while the browser is compared. */
  readonly checkText: string;
  /** Asks whether the attempt is the visitor's, above its description. */
  confirmText(project: string): string;
  /** Asks the receiver of a message whether the attempt was theirs. */
  disownText(project: string): string;
  readonly disownHint: string;
  /** Shown to the receiver of a message about a device, a change or a login. */
  readonly noticeText: Readonly<Record<NoticeKind, (project: string) => string>>;
  noticeHint(hasDevice: boolean): string;
  noticedText(hasDevice: boolean): string;
  noticedNext(project: string): string;
  /** Shown to the receiver of a message if the attempt has ended. */
  confirmedText(project: string): string;
  readonly endedText: string;
  readonly confirmHint: string;
  readonly confirmButton: string;
  /** Names of what is known about the attempt. */
  readonly attempt: {
    readonly device: string;
    readonly place: string;
    readonly network: string;
    readonly time: string;
    readonly unknown: string;
  };
  anotherText(project: string): string;
  anotherWarning(project: string): string;
  /** Explains the purpose of a code, before one is sent. */
  readonly askHint: string;
  /** Label of the button that sends a code. `by`: "by email". Unverified visitors see neither this nor the address. */
  send(by: string | undefined, to: string | undefined): string;
  sendAgain(by: string | undefined, to: string | undefined): string;
  /** Says where the code was sent. Without an address, says that it was sent if there is one. */
  sentTo(to: string | undefined): string;
  readonly codeLabel: string;
  readonly codeHint: string;
  triesLeft(count: number): string;
  readonly enter: string;
  readonly anotherCode: string;
  /**
   * Says how long until another code can be sent. `seconds` is a placeholder, which the page replaces with a number
   * that a script counts down.
   */
  wait(seconds: string): string;
  readonly noMoreCodes: string;
  readonly notMe: string;
  notMeHint(project: string): string;
  readonly notMeButton: string;
  notice(notice: Notice, waitSeconds: number | undefined): string;
  readonly verified: string;
  readonly roomNeeded: string;
  readonly devicesHint: string;
  readonly thisDevice: string;
  lastSeen(when: string): string;
  address(address: string): string;
  readonly signOut: string;
  readonly finish: string;
  readonly doneText: string;
  goBack(project: string): string;
  closePage(project: string): string;
  unreachableText(project: string): string;
  /** Shown if the application verifies the user by a factor of its own, and no code is sent. */
  ownFactorText(project: string): string;
  disownedText(project: string): string;
  expiredText(project: string): string;
  invalidLinkText(project: string): string;
  readonly failedText: string;
  readonly busyText: string;
}

/** Converts a wait to seconds or minutes. */
export function inMinutes(seconds: number): { readonly count: number; readonly unit: 'second' | 'minute' } {
  return seconds < 120 ? { count: seconds, unit: 'second' } : { count: Math.ceil(seconds / 60), unit: 'minute' };
}
