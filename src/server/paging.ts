import type { Page } from '../wire/index.js';

/**
 * A list that the service gives in pages. Awaited, it is the page that was asked for; gone through with `for await`, it
 * is that page's records and those of all after it, each page loaded when the one before is through.
 */
export type PagedList<Item> = Promise<Page<Item>> & AsyncIterable<Item>;

/** Loads the first page, and the others as they are needed. */
export function pagedList<Item extends { readonly _id: string }>(
  load: (page: number) => Promise<Page<Item>>,
  firstPage = 1,
): PagedList<Item> {
  const first = load(firstPage);
  return Object.assign(first, { [Symbol.asyncIterator]: () => items(first, load, firstPage) });
}

/**
 * Lists are newest first, so records that are made meanwhile push others on to the next page: what was on the page
 * before is left out.
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
