import type { PageRoute } from '../../../http/page-route.js';
import { assets } from './assets.js';
import { projects } from './projects.js';

/** The dashboard (docs/dashboard.md), from one file a section. */
export const dashboardPages: readonly PageRoute[] = [...assets, ...projects];
