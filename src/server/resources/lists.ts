import type { AddListEntriesResponse, ListEntry, ListsQuery, NewListEntry } from '../../wire/index.js';
import { isText, listOf, pageOf, withFields } from '../checks.js';
import type { CallOptions, WriteOptions } from '../options.js';
import { type PagedList, pagedList } from '../paging.js';
import type { Transport } from '../transport.js';

const isEntry = withFields<ListEntry>({ _id: isText, kind: isText, value: isText, effect: isText });
const isPage = pageOf(isEntry);
const isAdded = withFields<AddListEntriesResponse>({ entries: listOf(isEntry) });

/** The lists of the project (docs/lists.md), with a live key that has the scope `manage`. */
export class Lists {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Lists entries, the newest first (GET /v2/lists). `await` gives one page, and `for await` gives all entries from that
   * page on. The scope `read` is enough.
   */
  list(query: ListsQuery = {}, options?: CallOptions): PagedList<ListEntry> {
    const load = (page: number) =>
      this.transport.call({ method: 'GET', path: '/v2/lists', query: { ...query, page }, isResult: isPage }, options);
    return pagedList(load, query.page);
  }

  /**
   * Adds entries, at most 1,000, and returns what the lists hold for their values (POST /v2/lists). If one is invalid, none
   * is added.
   */
  async add(entries: readonly NewListEntry[], options?: WriteOptions): Promise<ListEntry[]> {
    const call = { method: 'POST', path: '/v2/lists', body: { entries }, isResult: isAdded } as const;
    return (await this.transport.call(call, options)).entries;
  }

  /** Ends an entry (DELETE /v2/lists/:id). Rejects with `not_found` if there is none with this ID. */
  end(id: string, options?: CallOptions): Promise<ListEntry> {
    const path = '/v2/lists/:id';
    return this.transport.call({ method: 'DELETE', path, parameters: { id }, isResult: isEntry }, options);
  }
}
