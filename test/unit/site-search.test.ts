import MiniSearch from 'minisearch';
import { describe, expect, test } from 'vitest';
import { countOf, createSearch, snippetOf } from '../../site/assets/search-engine.js';

const section = (id: number, heading: string, text: string, keywords?: string) => ({
  id,
  url: `${id}.html`,
  page: 'Page',
  heading,
  text,
  ...(keywords && { keywords }),
});
const search = createSearch(MiniSearch, [
  section(0, 'Account takeover', 'Somebody else has the password of an account.'),
  section(1, 'Origins and lists', 'Ranges that are always denied.', 'block an address ban IP'),
  section(2, 'Rates', 'A key has 500 requests a second. A device of the account is counted.'),
]);
const headings = (entered: string) => search(entered).map(({ heading }) => heading);

describe('the search of the documentation', () => {
  test('finds a heading in spite of typos, and words by their beginning', () => {
    expect(headings('acount takover')[0]).toBe('Account takeover');
    expect(headings('passw')).toEqual(['Account takeover']);
  });

  test('finds a section by words that it does not contain, whatever stands between them', () => {
    expect(headings('how do I block an address')).toEqual(['Origins and lists']);
    expect(headings('ban')).toEqual(['Origins and lists']);
  });

  test('finds sections with all words, otherwise those with some', () => {
    expect(headings('account requests')).toEqual(['Rates']);
    expect(headings('ranges unheard')).toEqual(['Origins and lists']);
    expect(headings('unheard')).toEqual([]);
    expect(headings('the of')).toEqual([]);
  });
});

test('pages for few readers come after pages for users with the same words', () => {
  const pages = ['research/identity.html', 'threat-model.html', 'api.html'].map((url, id) => ({
    ...section(id, 'Keys', 'A test key.'),
    url,
  }));
  expect(createSearch(MiniSearch, pages)('test key')[0]?.url).toBe('api.html');
});

test.each([
  [0, 'Nothing found'],
  [1, '1 section found'],
  [12, '12 sections found'],
  [42, '12 of 42 sections'],
])('a search that found %i sections says "%s"', (found, said) => {
  expect(countOf(found, 12)).toBe(said);
});

describe('a snippet', () => {
  const long = `${'before '.repeat(30)}the needle lies here ${'after '.repeat(60)}`;

  test('shows the place of the first word, and marks each', () => {
    const parts = snippetOf(long, ['needle', 'lies']);
    expect(parts.filter(({ isMatch }) => isMatch).map(({ part }) => part)).toEqual(['needle', 'lies']);
    const text = parts.map(({ part }) => part).join('');
    expect(text).toMatch(/^… before .*before the needle lies here after .*after …$/);
    expect(text.length).toBeLessThan(200);
  });

  test('marks no part inside a word, and is the beginning of a text without the words', () => {
    expect(snippetOf('unblock, block', ['block'])).toEqual([
      { part: 'unblock, ', isMatch: false },
      { part: 'block', isMatch: true },
    ]);
    expect(snippetOf('A short text.', [])).toEqual([{ part: 'A short text.', isMatch: false }]);
  });
});
