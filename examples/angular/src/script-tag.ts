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
    // The nonce lets the browser prove that it is the one of an earlier login.
    const { nonce } = await post('/whorl/nonce', {});
    const fields = { ...Object.fromEntries(new FormData(form)), ...(await Whorl.collect({ nonce })) };
    const { email = '', detail = '' } = await post('/login', fields);
    this.user.set(email);
    this.message.set(detail);
  }
}

async function post(path: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

bootstrapApplication(Shop, { providers: [provideZoneChangeDetection()] });
