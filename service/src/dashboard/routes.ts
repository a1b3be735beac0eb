import type { PageRoute } from '../http/pages/page-route.js';
import { factors } from './account/factors-route.js';
import { account } from './account/route.js';
import { addresses } from './addresses/route.js';
import { alerts } from './alerts/route.js';
import { assets } from './assets.js';
import { audit } from './audit/route.js';
import { challenges } from './challenges/route.js';
import { components } from './components/route.js';
import { rules } from './custom-rules/route.js';
import { devices } from './devices/route.js';
import { evaluations } from './evaluations/route.js';
import { keys } from './keys/route.js';
import { linked } from './linked/route.js';
import { lists } from './lists/route.js';
import { actions } from './many/route.js';
import { members } from './members/route.js';
import { overview } from './overview/route.js';
import { policy } from './policy/route.js';
import { projects } from './projects/route.js';
import { review } from './review/route.js';
import { search } from './search/route.js';
import { settings } from './settings/route.js';
import { providerPages } from './sign-in/provider-route.js';
import { setUpPages, signInPages } from './sign-in/route.js';
import { secondFactorPages } from './sign-in/second-factor-route.js';
import { subjects } from './subjects/route.js';
import { users } from './users/route.js';
import { views } from './views/route.js';
import { webhooks } from './webhooks/route.js';

/** All pages of the dashboard (docs/dashboard.md). */
export const dashboardPages: readonly PageRoute[] = [
  ...assets,
  ...signInPages,
  ...providerPages,
  ...setUpPages,
  ...secondFactorPages,
  ...factors,
  ...account,
  ...components,
  ...audit,
  ...members,
  ...projects,
  ...overview,
  ...search,
  // Before the users: `clusters` is not the ID of one.
  ...linked,
  ...users,
  ...devices,
  ...challenges,
  ...evaluations,
  ...views,
  ...subjects,
  ...review,
  ...actions,
  ...lists,
  ...rules,
  ...addresses,
  ...webhooks,
  ...policy,
  ...alerts,
  ...settings,
  ...keys,
];
