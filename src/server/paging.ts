import type { CursorPage, Page } from '../wire/index.js';

/**
 * A list that the service returns in pages. `await` gives the requested page. `for await` goes through the records of
 * that page and all later ones, and loads each page when the previous one has been read.
 */
export type PagedList<Item> = Promise<Page<Item>> & AsyncIterable<Item>;

/** Loads the first page, and later pages as needed. */
export function pagedList<Item extends { readonly _id: string }>(
  load: (page: number) => Promise<Page<Item>>,
  firstPage = 1,
): PagedList<Item> {
  const first = load(firstPage);
  return Object.assign(first, { [Symbol.asyncIterator]: () => items(first, load, firstPage) });
}

/**
 * Yields the records of all pages. Lists are newest first, so a new record shifts others to the next page. Records that
 * were on the previous page are skipped.
 */
async function* items<Item extends { readonly _id: string }>(
  first: Promise<Page<Item>>,
  load: (page: number) => Promise<Page<Item>>,
  firstPage: number,
): AsyncGenerator<Item, void, undefined> {
  let before = new Set<string>();
  for (let number = firstPage; ; number += 1) {
    const page = await (number === firstPage ? first : load(number));
    for (const item of page.data) if (!before.has(item._id)) yield item;
    if (!page.data.length || number * page.limit >= page.total) return;
    before = new Set(page.data.map(({ _id }) => _id));
  }
}

/**
 * A list that continues at a cursor. `await` gives the requested page. `for await` goes through the records of that page
 * and all later ones, and loads each page when the previous one has been read.
 */
export type CursorList<Item> = Promise<CursorPage<Item>> & AsyncIterable<Item>;

/** Loads the first page, and later pages as needed. */
export function cursorList<Item>(
  load: (cursor: string | undefined) => Promise<CursorPage<Item>>,
  cursor: string | undefined,
): CursorList<Item> {
  const first = load(cursor);
  return Object.assign(first, { [Symbol.asyncIterator]: () => itemsFrom(first, load) });
}

async function* itemsFrom<Item>(
  first: Promise<CursorPage<Item>>,
  load: (cursor: string) => Promise<CursorPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let page = await first;
  for (;;) {
    yield* page.data;
    if (page.next_cursor === undefined) return;
    page = await load(page.next_cursor);
  }
}
