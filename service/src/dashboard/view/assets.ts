import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chartsScript } from '../overview/charts-script.js';
import { settingsStyles } from '../settings/styles.js';
import { peopleStyles } from './people-styles.js';
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

const scriptType = 'text/javascript; charset=utf-8';

export function asset(path: string, type: string, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { path, text, type, url: `${path}?v=${hash}` };
}

export const dashboardStyles = asset(
  '/assets/dashboard.css',
  'text/css; charset=utf-8',
  styles + peopleStyles + settingsStyles,
);
export const chartsFile = asset('/assets/dashboard-charts.js', scriptType, chartsScript);

let library: Asset | undefined;

/** Chart.js, as its package has it for a script tag. */
export function chartLibrary(): Asset {
  library ??= asset('/assets/chart.js', scriptType, readFileSync(libraryFile(), 'utf8'));
  return library;
}

function libraryFile(): string {
  return join(dirname(createRequire(import.meta.url).resolve('chart.js')), 'chart.umd.min.js');
}
