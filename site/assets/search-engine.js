/** Words that say nothing about the page that a reader looks for. */
const stopWords = new Set(
  'a an and are as at be by can do does for from how i if in is it me my of on or the this to we what when where which with you your'.split(
    ' ',
  ),
);

/** Most readers want to use Whorl. Pages about how it was measured and attacked use the same words. */
const isForFewReaders = ({ url }) => url.startsWith('research/') || url.startsWith('threat-model.');

const options = {
  fields: ['keywords', 'heading', 'page', 'text'],
  storeFields: ['heading', 'page', 'url', 'text'],
  processTerm: (term) => (stopWords.has(term.toLowerCase()) ? null : term.toLowerCase()),
  searchOptions: {
    boost: { keywords: 8, heading: 4, page: 2 },
    boostDocument: (_id, _term, section) => (isForFewReaders(section) ? 0.3 : 1),
    prefix: (term) => term.length > 1,
  },
};

/**
 * Returns the search of the site: from what a reader enters to the sections with all of its words, the best first. If none
 * has all of them, to those with some.
 *
 * @param MiniSearch the class of the library, which browsers and tests load from different places
 * @param {{ id: number, url: string, page: string, heading: string, text: string, keywords?: string }[]} sections
 * @returns {(entered: string) => { url: string, page: string, heading: string, text: string, terms: string[] }[]}
 */
export function createSearch(MiniSearch, sections) {
  const index = new MiniSearch(options);
  index.addAll(sections);
  // One typo in five letters, two in eight, in words that no section has. Short words differ from too many others.
  const fuzzy = (term) => (term.length > 3 && !index.search(term).length ? 0.2 : false);
  return (entered) => {
    const all = index.search(entered, { combineWith: 'AND', fuzzy });
    return all.length ? all : index.search(entered, { combineWith: 'OR', fuzzy });
  };
}

/** Returns what to say about a search that found so many sections, of which at most `most` are shown. */
export function countOf(found, most) {
  if (found > most) return `${most} of ${found} sections`;
  return found ? `${found} ${found === 1 ? 'section' : 'sections'} found` : 'Nothing found';
}

const before = 60;
const length = 180;

/**
 * Returns the part of a text around the first of some words, in parts that are or are not one of them.
 *
 * @returns {{ part: string, isMatch: boolean }[]}
 */
export function snippetOf(text, terms) {
  const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).sort((a, b) => b.length - a.length);
  const matches = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|') || '(?!)'})`, 'iu');
  const first = Math.max(0, text.search(matches));
  const from = first <= before ? 0 : text.indexOf(' ', first - before) + 1;
  const end = from + length >= text.length ? text.length : text.lastIndexOf(' ', from + length);
  const parts = text.slice(from, Math.max(end, first)).split(matches);
  return [
    ...(from > 0 ? [{ part: '… ', isMatch: false }] : []),
    ...parts.map((part, at) => ({ part, isMatch: at % 2 === 1 })).filter(({ part }) => part),
    ...(end < text.length ? [{ part: ' …', isMatch: false }] : []),
  ];
}
