import { readPosition } from '../../ground/db/position-rules.js';
import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute } from '../dashboard-route.js';
import { showSubject } from './load.js';
import { readSubject, subjectForm, subjectKinds } from './rules.js';
import { subjectPage } from './view.js';

const path = '/dashboard/{project}/{mode}/subjects/{subject}';

async function show(request: DashboardRequest): Promise<DashboardPage> {
  const { reader, caller, params, query } = request;
  const kind = subjectKinds.find((each) => each === params.subject);
  if (kind === undefined) throw new ApiError('not_found', { detail: 'There is no page at this address.' });
  const subject = readSubject(kind, query.get('value'));
  if (!subject) {
    const form = subjectForm(kind).replaceAll('`', '');
    throw new ApiError('invalid_request', { detail: `The value must be ${form}. Enter it in the search field.` });
  }
  const from = { from: readPosition(query.get('from')), users: readPosition(query.get('users')) };
  return subjectPage(request, await showSubject(reader, caller, subject, from), from);
}

/** Pages of an address, network, country, hardware and email domain. */
export const subjects: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, permission: 'view', handle: show }),
];
