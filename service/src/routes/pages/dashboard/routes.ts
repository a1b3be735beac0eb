import type { PageRoute } from '../../../http/page-route.js';
import { account } from './account.js';
import { assets } from './assets.js';
import { projects } from './projects.js';
import { setUpPages } from './set-up.js';
import { signInPages } from './sign-in.js';

/** The dashboard (docs/dashboard.md), from one file a section. */
export const dashboardPages: readonly PageRoute[] = [...assets, ...signInPages, ...setUpPages, ...account, ...projects];
