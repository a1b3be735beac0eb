import { Component, inject } from '@angular/core';
import { WhorlService } from './whorl.service';

@Component({
  selector: 'challenge-form',
  template: `
    @if (challenge(); as challenge) {
      <form #form class="whorl-challenge" (submit)="$event.preventDefault(); challenge.verify(codeIn(form))">
        @if (challenge.sentTo) {
          <p>Enter the code that was sent to {{ challenge.sentTo }}.</p>
          <label>Code <input name="code" autocomplete="one-time-code" inputmode="numeric" required /></label>
          <button [disabled]="challenge.isPending">Continue</button>
        }
        <button type="button" (click)="challenge.send()">Send a new code</button>
        <button type="button" (click)="challenge.close()">Cancel</button>
        <p role="status">{{ challenge.error?.detail }}</p>
      </form>
    }
  `,
})
export class ChallengeForm {
  readonly challenge = inject(WhorlService).challenge;

  codeIn(form: HTMLFormElement): string {
    return String(new FormData(form).get('code'));
  }
}
