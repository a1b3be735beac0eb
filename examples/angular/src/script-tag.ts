import { Component, provideZoneChangeDetection, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';

/** Set by whorl.min.js, which src/script-tag.html loads. */
declare const Whorl: typeof import('whorl');

@Component({
  selector: 'shop-root',
  template: `
    <main>
      <h1>{{ user() ? 'Hello, ' + user() : 'Shop' }}</h1>
      <form id="entry" #form (submit)="logIn($event, form)">
        <label>Email address <input name="email" type="email" autocomplete="username" required /></label>
        <label>Password <input name="password" type="password" autocomplete="current-password" required /></label>
        <button type="submit">Log in</button>
      </form>
      <p role="status">{{ message() }}</p>
    </main>
  `,
})
class Shop {
  protected readonly user = signal('');
  protected readonly message = signal('');

  /** Logs in on a known device. The page of src/main.ts also asks for the code that a new one needs. */
  protected async logIn(event: SubmitEvent, form: HTMLFormElement) {
    event.preventDefault();
    const fields = { ...Object.fromEntries(new FormData(form)), ...(await Whorl.collect()) };
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/login', { method: 'POST', headers, body: JSON.stringify(fields) });
    const { email = '', detail = '' } = await response.json();
    this.user.set(email);
    this.message.set(detail);
  }
}

bootstrapApplication(Shop, { providers: [provideZoneChangeDetection()] });
