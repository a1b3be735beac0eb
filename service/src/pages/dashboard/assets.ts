import { createHash } from 'node:crypto';
import { peopleStyles } from './people-styles.js';
import { settingsStyles } from './settings/styles.js';
import { styles } from './styles.js';

/** A file that pages of the dashboard load from the service itself. */
export interface Asset {
  /** Without the query. */
  readonly path: string;
  readonly text: string;
  readonly type: string;
  /** With its hash in the query, so that browsers can keep it for good. */
  readonly url: string;
}

export function asset(path: string, type: string, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { path, text, type, url: `${path}?v=${hash}` };
}

export const dashboardStyles = asset(
  '/assets/dashboard.css',
  'text/css; charset=utf-8',
  styles + peopleStyles + settingsStyles,
);
