import type { PageRoute } from '../../../http/page-route.js';
import { account } from './account.js';
import { assets } from './assets.js';
import { audit } from './audit.js';
import { challenges } from './challenges.js';
import { devices } from './devices.js';
import { evaluations } from './evaluations.js';
import { keys } from './keys.js';
import { overview } from './overview.js';
import { projects } from './projects.js';
import { setUpPages } from './set-up.js';
import { settings } from './settings.js';
import { signInPages } from './sign-in.js';
import { users } from './users.js';
import { webhooks } from './webhooks.js';

/** The dashboard (docs/dashboard.md), from one file a section. */
export const dashboardPages: readonly PageRoute[] = [
  ...assets,
  ...signInPages,
  ...setUpPages,
  ...account,
  ...audit,
  ...projects,
  ...overview,
  ...users,
  ...devices,
  ...challenges,
  ...evaluations,
  ...webhooks,
  ...settings,
  ...keys,
];
