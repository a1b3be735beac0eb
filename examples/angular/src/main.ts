import { Component, inject, provideZoneChangeDetection, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { ChallengeForm } from './challenge-form';
import { WhorlService } from './whorl.service';

@Component({
  selector: 'shop-root',
  imports: [ChallengeForm],
  template: `
    <main>
      @if (user()) {
        <h1>Hello, {{ user() }}</h1>
        <button type="button" (click)="user.set('')">Log out</button>
      } @else {
        <h1>Shop</h1>
        <form id="entry" #form (submit)="enter($event, form)">
          <label>Email address <input name="email" type="email" autocomplete="username" required /></label>
          <label>Password <input name="password" type="password" autocomplete="current-password" required /></label>
          <button type="submit" value="/login" [disabled]="whorl.isPending()">Log in</button>
          <button type="submit" value="/sign-up" [disabled]="whorl.isPending()">Sign up</button>
        </form>
        <p role="status">{{ message() }}</p>
      }
      <challenge-form />
    </main>
  `,
})
class Shop {
  protected readonly whorl = inject(WhorlService);
  protected readonly user = signal('');
  protected readonly message = signal('');

  protected async enter(event: SubmitEvent, form: HTMLFormElement) {
    event.preventDefault();
    this.message.set('');
    const path = event.submitter?.getAttribute('value') ?? '/login';
    const { ok, detail, body } = await this.whorl.submit(path, new FormData(form));
    if (ok) this.user.set(String(body.email));
    else this.message.set(detail);
  }
}

// Angular runs with zone.js here, as most applications do. Whorl does not depend on it.
bootstrapApplication(Shop, { providers: [provideZoneChangeDetection()] });
