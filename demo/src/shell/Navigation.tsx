import { type View, views } from './use-route.js';

interface NavigationProps {
  readonly current: View;
  /** The number of messages in the mailbox. */
  readonly messageCount: number;
  /** The URL of the service. Undefined until the server has answered. */
  readonly serviceUrl: string | undefined;
}

/** Links to the other views, to the page without React, and to the service's dashboard and documentation. */
export function Navigation({ current, messageCount, serviceUrl }: NavigationProps) {
  return (
    <header className="site-header">
      <a className="brand" href="./#">
        Whorl demo
      </a>
      <nav aria-label="Pages">
        <ul>
          {Object.entries(views).map(([hash, name]) => (
            <li key={hash}>
              <a href={hash || '#'} aria-current={hash === current ? 'page' : undefined}>
                {name}
                {hash === '#mailbox' && messageCount > 0 && (
                  <>
                    {' '}
                    <span className="count">{messageCount}</span>
                  </>
                )}
              </a>
            </li>
          ))}
          <li>
            <a href="script-tag.html">Script tag</a>
          </li>
          {serviceUrl !== undefined && (
            <>
              <li>
                <a href={`${serviceUrl}/dashboard`}>Dashboard</a>
              </li>
              <li>
                <a href={`${serviceUrl}/docs/`}>Docs</a>
              </li>
            </>
          )}
        </ul>
      </nav>
    </header>
  );
}
