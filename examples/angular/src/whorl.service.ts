import { Injectable, signal } from '@angular/core';
import { type Challenge, whorlPage } from 'whorl/page';

@Injectable({ providedIn: 'root' })
export class WhorlService {
  private readonly page = whorlPage();
  private readonly pending = signal(false);
  private readonly waiting = signal<Challenge | undefined>(undefined);

  /** While one attempt runs, with its challenge, there is no other. */
  readonly submit = this.page.form((isPending) => this.pending.set(isPending)).submit;
  readonly isPending = this.pending.asReadonly();
  /** The challenge that waits for a code. */
  readonly challenge = this.waiting.asReadonly();

  constructor() {
    this.page.subscribe((challenge) => this.waiting.set(challenge));
    this.page.prepare();
  }
}
