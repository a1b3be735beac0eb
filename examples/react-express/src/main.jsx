import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ChallengeForm, DeviceList, useWhorl, WhorlProvider } from 'whorl/react';

function App() {
  const [user, setUser] = useState();
  if (!user) return <Entry onEnter={setUser} />;

  async function logOut() {
    await fetch('/log-out', { method: 'POST' });
    setUser(undefined);
  }

  return (
    <>
      <h1>Hello, {user}</h1>
      <p>
        <button type="button" onClick={logOut}>
          Log out
        </button>
      </p>
      <DeviceList />
    </>
  );
}

function Entry({ onEnter }) {
  const { submit, isPending } = useWhorl();
  const [message, setMessage] = useState('');

  async function enter(event) {
    event.preventDefault();
    setMessage('');
    const path = event.nativeEvent.submitter.value;
    const { ok, detail, body } = await submit(path, new FormData(event.currentTarget));
    if (ok) onEnter(body.email);
    else setMessage(detail);
  }

  return (
    <>
      <h1>Shop</h1>
      <form id="entry" onSubmit={enter}>
        <label>
          Email address <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button type="submit" value="/login" disabled={isPending}>
          Log in
        </button>
        <button type="submit" value="/sign-up" disabled={isPending}>
          Sign up
        </button>
      </form>
      <p role="status">{message}</p>
    </>
  );
}

createRoot(document.getElementById('app')).render(
  <StrictMode>
    <WhorlProvider>
      <App />
      <ChallengeForm />
    </WhorlProvider>
  </StrictMode>,
);
