import type { Page } from "./client.js";

/**
 * Every item of a list, page after page. What is added while the list is read moves items to the next page; they are
 * told by their uuid and not given twice.
 */
export async function* allPages<Item>(
  readPage: (page: number) => Promise<Page<Item>>,
  uuidOf: (item: Item) => string,
): AsyncGenerator<Item, void, undefined> {
  const given = new Set<string>();
  for (let number = 1; ; number += 1) {
    const { data, hasNextPage } = await readPage(number);
    for (const item of data) {
      if (given.has(uuidOf(item))) continue;
      given.add(uuidOf(item));
      yield item;
    }
    if (!hasNextPage) return;
  }
}
