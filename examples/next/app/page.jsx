'use client';
import { useActionState, useState } from 'react';
import { useWhorl } from 'whorl/react';
import { signUp } from './actions.js';

export default function Page() {
  const [user, setUser] = useState();
  if (!user) return <Entry onEnter={setUser} />;
  return (
    <>
      <h1>Hello, {user}</h1>
      <button type="button" onClick={() => setUser(undefined)}>
        Log out
      </button>
    </>
  );
}

function Entry({ onEnter }) {
  const { submit } = useWhorl();
  const [message, enter, isPending] = useActionState(send, '');

  /** Returns the message to show. */
  async function send(_message, form) {
    const target = form.get('button') === 'sign-up' ? signUp : '/login';
    const { ok, body, detail } = await submit(target, form);
    if (ok) onEnter(body.email);
    return detail;
  }

  return (
    <>
      <h1>Shop</h1>
      <form id="entry" action={enter}>
        <label>
          Email address <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button type="submit" name="button" value="login" disabled={isPending}>
          Log in
        </button>
        <button type="submit" name="button" value="sign-up" disabled={isPending}>
          Sign up
        </button>
      </form>
      <p role="status">{message}</p>
    </>
  );
}
