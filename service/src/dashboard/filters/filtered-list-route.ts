import type { z } from 'zod';
import { type Position, readPosition, start } from '../../ground/db/position-rules.js';
import type { InputError } from '../../ground/errors.js';
import type { ViewedList } from '../../ground/vocabulary.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { type Parsed, safeParserOf } from '../../http/parse.js';
import type { Plain } from '../../http/schemas/wire-schema.js';
import { type ExportFormat, exportFormats } from '../../resources/filters/rules/export-lines.js';
import type { FilterTable } from '../../resources/filters/rules/filter.js';
import { listViews } from '../../resources/filters/views.js';
import { currentReaderOf } from '../../resources/service.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { download } from '../download.js';
import { choiceIn } from '../request.js';
import { type EnteredFilter, enteredFilter, type FilterState, userIdOf } from './entered.js';

/** What a page with a filtered list shows. Without a query, a filter is not valid. */
export interface ListRequest<Schema extends z.ZodType> {
  readonly filter: FilterState;
  readonly query: Filters<Schema> | undefined;
  readonly from: Position;
}

/** Filters in their normal form. */
type Filters<Schema extends z.ZodType> = Plain<z.output<Schema>>;

export interface FilteredList<Schema extends z.ZodType> {
  /** Last part of the path. */
  readonly name: ViewedList;
  readonly table: FilterTable;
  readonly schema: Schema;
  readonly page: (request: DashboardRequest, list: ListRequest<Schema>) => Promise<DashboardPage>;
  /** Returns the text of all rows that match, in parts. They are read with the request's `reader`. */
  readonly exported: (
    request: DashboardRequest,
    query: Filters<Schema>,
    format: ExportFormat,
  ) => Promise<AsyncGenerator<string>>;
}

interface ReadableList<Schema extends z.ZodType> extends FilteredList<Schema> {
  readonly read: (typed: unknown) => Parsed<Schema>;
}

/** Returns the routes of a list with filters: the list, the form of its filters, and the download. */
export function filteredListRoutes<Schema extends z.ZodType>(options: FilteredList<Schema>): readonly PageRoute[] {
  const list = { ...options, read: safeParserOf(options.schema) };
  const path = `/dashboard/{project}/{mode}/${list.name}`;
  const toList = (request: DashboardRequest) => redirectWithNotice(request, `/${list.name}`);
  return [
    dashboardRoute({ method: 'get', path, permission: 'view', handle: (request) => show(list, request) }),
    dashboardRoute({
      method: 'post',
      path: `${path}/filter`,
      permission: 'view',
      onlyReads: true,
      handle: (request) => filterList(list, request),
    }),
    dashboardRoute({
      method: 'post',
      path: `${path}/export`,
      permission: 'export_lists',
      handle: (request) => exportRows(list, request),
    }),
    // Opened after signing in again.
    dashboardRoute({ method: 'get', path: `${path}/filter`, permission: 'view', handle: toList }),
    dashboardRoute({ method: 'get', path: `${path}/export`, permission: 'view', handle: toList }),
  ];
}

async function show<Schema extends z.ZodType>(
  list: ReadableList<Schema>,
  request: DashboardRequest,
): Promise<DashboardPage> {
  const entered = enteredFilter(request.service, request.caller, list.table, request.query);
  const read = list.read(entered.typed);
  if (read.errors) return showErrors(list, request, entered, read.errors);
  const from = readPosition(request.query.get('from'));
  return list.page(request, { filter: await withViews(list, request, entered), query: read.value, from });
}

async function showErrors<Schema extends z.ZodType>(
  list: ReadableList<Schema>,
  request: DashboardRequest,
  entered: EnteredFilter,
  errors: readonly InputError[],
): Promise<DashboardPage> {
  const filter = await withViews(list, request, entered, errors);
  const page = await list.page(request, { filter, query: undefined, from: start });
  return { ...page, status: 422 };
}

async function withViews<Schema extends z.ZodType>(
  list: ReadableList<Schema>,
  { reader, caller }: DashboardRequest,
  entered: EnteredFilter,
  errors: readonly InputError[] = [],
): Promise<FilterState> {
  return { ...entered, errors, views: await listViews(reader, caller, list.name) };
}

/** Redirects to the filtered list. The URL has the service's ID of a user, because the customer's can be an email address. */
async function filterList<Schema extends z.ZodType>(
  list: ReadableList<Schema>,
  request: DashboardRequest,
): Promise<DashboardPage | Response> {
  const { service, reader, caller, fields } = request;
  const entered = enteredFilter(service, caller, list.table, fields);
  const read = list.read(entered.typed);
  if (read.errors) return showErrors(list, request, entered, read.errors);
  const { user, ...others } = entered.shown;
  const query = new URLSearchParams(others);
  if (user !== undefined) {
    const id = await userIdOf(reader, caller, user);
    if (id === undefined)
      return showErrors(list, request, entered, [{ path: 'user', message: 'must be that of a known user' }]);
    query.set('user_id', id);
  }
  return redirectWithNotice(request, query.size > 0 ? `/${list.name}?${query}` : `/${list.name}`);
}

/** Streams the rows that match the filters. */
async function exportRows<Schema extends z.ZodType>(
  list: ReadableList<Schema>,
  request: DashboardRequest,
): Promise<DashboardPage | Response> {
  const { service, caller, fields } = request;
  const entered = enteredFilter(service, caller, list.table, fields);
  const format = choiceIn(fields, 'format', exportFormats);
  const read = list.read(entered.typed);
  if (read.errors) return showErrors(list, request, entered, read.errors);
  const reader = await currentReaderOf(service);
  const parts = await list.exported({ ...request, reader }, read.value, format);
  const name = `${list.name}-${service.now().toISOString().slice(0, 10)}.${format}`;
  return download({ parts, name, type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' });
}
