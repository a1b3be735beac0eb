import { useEffect } from 'react';
import { version } from 'whorl';
import { FingerprintPage } from './fingerprint/FingerprintPage.js';
import { LogInPage } from './login/LogInPage.js';
import { useLogIn } from './login/use-log-in.js';
import { MailboxPage } from './mailbox/MailboxPage.js';
import { watchService } from './panel/watch-service.js';
import { PlaygroundPage } from './playground/PlaygroundPage.js';
import { Navigation } from './shell/Navigation.js';
import { useEvents } from './shell/use-events.js';
import { useRoute } from './shell/use-route.js';

export function App() {
  const view = useRoute();
  const { exchanges, messages, addExchange } = useEvents();
  const control = useLogIn();
  const baseUrl = control.whorl?.baseUrl;
  useEffect(() => (baseUrl ? watchService(baseUrl, addExchange) : undefined), [baseUrl, addExchange]);
  return (
    <div className="page">
      <Navigation current={view} messageCount={messages.length} serviceUrl={baseUrl} />
      {view === '' && <LogInPage control={control} exchanges={exchanges} />}
      {view === '#fingerprint' && <FingerprintPage />}
      {view === '#playground' && <PlaygroundPage />}
      {view === '#mailbox' && <MailboxPage messages={messages} />}
      <footer className="site-footer">whorl {version}</footer>
    </div>
  );
}
