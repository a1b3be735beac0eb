import { z } from '@hono/zod-openapi';
import type {
  AddListEntriesRequest,
  AddListEntriesResponse,
  ListEntry,
  ListsQuery,
  NewListEntry,
  Page,
} from 'whorl/wire';
import { isDateOrTimestamp, momentForm } from '../../ground/moment-rules.js';
import { example } from '../../http/schemas/examples.js';
import { text, timestamp, uuid } from '../../http/schemas/fields.js';
import { type Complete, pageQueryFields } from '../../http/schemas/query.js';
import { emptyPage, pageResponseFields } from '../../http/schemas/responses.js';
import { listEffect, listKind } from '../../http/schemas/vocabulary.js';
import { wireSchema } from '../../http/schemas/wire-schema.js';
import { maxNoteLength } from '../../resources/lists/rules/new-entries.js';

/** Maximum number of entries in one request. */
const maxEntries = 1000;
/** Longest value of any kind, with room for spaces around it. */
const maxValueLength = 300;

const newEntryExample: NewListEntry = {
  kind: 'address',
  value: '203.0.113.0/24',
  effect: 'block',
  note: 'Scraper, ticket 4711',
};

const entryExample: ListEntry = {
  _id: example.listEntry,
  ...newEntryExample,
  created_by: 'command line',
  created_at: example.now,
};

export const listEntry = wireSchema<ListEntry>()(
  'ListEntry',
  z.object({
    _id: uuid(),
    kind: listKind(),
    value: z.string().openapi({ description: 'In normal form: `198.51.100.0/24` for `198.51.100.7/24`.' }),
    effect: listEffect(),
    note: z.string().optional(),
    created_by: z.string(),
    created_at: timestamp(),
    expires_at: timestamp().optional(),
    ended_at: timestamp().optional(),
    ended_by: z.string().optional(),
  }),
  entryExample,
);

export const listPage = wireSchema<Page<ListEntry>>()(
  'ListPage',
  z.object({ data: z.array(listEntry), ...pageResponseFields }),
  emptyPage,
);

const moment = () => z.string().refine(isDateOrTimestamp, `must be ${momentForm}`);

export const listsQuery = wireSchema<Complete<ListsQuery>>()(
  'ListsQuery',
  z.object({
    kind: listKind().optional(),
    effect: listEffect().optional(),
    value: text(maxValueLength).optional().openapi({ description: 'The exact value.' }),
    at: moment().optional().openapi({ description: 'What the lists held at this time. Default: now.' }),
    ...pageQueryFields,
  }),
  { kind: 'address', page: 1, limit: 10 },
);

const newEntry = wireSchema<NewListEntry>()(
  'NewListEntry',
  z.object({
    kind: listKind(),
    value: text(maxValueLength),
    effect: listEffect(),
    note: text(maxNoteLength).optional(),
    expires_at: moment().optional().openapi({ description: 'Later than now. Without it, the entry does not expire.' }),
  }),
  newEntryExample,
);

export const addListEntriesRequest = wireSchema<AddListEntriesRequest>()(
  'AddListEntriesRequest',
  z.object({ entries: z.array(newEntry).min(1).max(maxEntries) }),
  { entries: [newEntryExample] },
);

export const addListEntriesResponse = wireSchema<AddListEntriesResponse>()(
  'AddListEntriesResponse',
  z.object({ entries: z.array(listEntry) }),
  { entries: [entryExample] },
);
