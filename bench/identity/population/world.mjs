import { chooser } from './random.mjs';

/**
 * Each country's share of web users in per cent, rounded, with its main languages and time zones. Estimates, because the
 * network contains neither.
 */
const countries = [
  [
    'US',
    22,
    ['en-US', 90, 'es-US', 5, 'en-GB', 2, 'zh-CN', 3],
    ['New_York', 47, 'Chicago', 29, 'Denver', 7, 'Los_Angeles', 17],
  ],
  ['IN', 12, ['en-IN', 30, 'en-GB', 20, 'en-US', 40, 'hi-IN', 10], ['Kolkata']],
  ['BR', 6, ['pt-BR', 93, 'en-US', 7], ['Sao_Paulo', 85, 'Manaus', 15]],
  ['GB', 5, ['en-GB', 88, 'en-US', 12], ['London']],
  ['DE', 5, ['de-DE', 85, 'en-US', 10, 'en-GB', 5], ['Berlin']],
  ['FR', 4, ['fr-FR', 90, 'en-US', 10], ['Paris']],
  ['JP', 4, ['ja-JP', 96, 'en-US', 4], ['Tokyo']],
  ['ID', 4, ['id-ID', 70, 'en-US', 30], ['Jakarta', 80, 'Makassar', 20]],
  ['MX', 3, ['es-MX', 70, 'es-419', 20, 'en-US', 10], ['Mexico_City', 80, 'Tijuana', 10, 'Monterrey', 10]],
  ['IT', 3, ['it-IT', 94, 'en-US', 6], ['Rome']],
  ['ES', 3, ['es-ES', 90, 'en-US', 5, 'ca-ES', 5], ['Madrid']],
  ['RU', 3, ['ru-RU', 95, 'en-US', 5], ['Moscow', 60, 'Yekaterinburg', 25, 'Novosibirsk', 15]],
  ['CA', 3, ['en-CA', 50, 'en-US', 28, 'fr-CA', 22], ['Toronto', 65, 'Vancouver', 17, 'Edmonton', 18]],
  ['TR', 3, ['tr-TR', 94, 'en-US', 6], ['Istanbul']],
  ['VN', 3, ['vi-VN', 85, 'en-US', 15], ['Ho_Chi_Minh']],
  ['KR', 2, ['ko-KR', 95, 'en-US', 5], ['Seoul']],
  ['PL', 2, ['pl-PL', 92, 'en-US', 8], ['Warsaw']],
  ['NL', 2, ['nl-NL', 75, 'en-US', 15, 'en-GB', 10], ['Amsterdam']],
  ['AU', 2, ['en-AU', 65, 'en-US', 20, 'en-GB', 15], ['Sydney', 60, 'Brisbane', 22, 'Perth', 18]],
  ['PH', 2, ['en-US', 75, 'en-PH', 20, 'fil-PH', 5], ['Manila']],
  ['AR', 2, ['es-AR', 60, 'es-419', 30, 'en-US', 10], ['Buenos_Aires']],
  ['CO', 2, ['es-CO', 40, 'es-419', 50, 'en-US', 10], ['Bogota']],
  ['TW', 2, ['zh-TW', 92, 'en-US', 8], ['Taipei']],
  ['SE', 1, ['sv-SE', 80, 'en-US', 20], ['Stockholm']],
  ['UA', 1, ['uk-UA', 70, 'ru-RU', 20, 'en-US', 10], ['Kyiv']],
  ['ZA', 1, ['en-US', 60, 'en-ZA', 25, 'en-GB', 15], ['Johannesburg']],
  ['EG', 1, ['en-US', 60, 'ar-EG', 40], ['Cairo']],
  ['NG', 1, ['en-US', 70, 'en-GB', 30], ['Lagos']],
].map(([code, share, languages, zones]) => [
  { code, language: chooser(pairs(languages)), zone: chooser(zones.length === 1 ? [[zones[0], 1]] : pairs(zones)) },
  share,
]);

function pairs(list) {
  return Array.from({ length: Math.ceil(list.length / 2) }, (_, index) => [list[2 * index], list[2 * index + 1] ?? 1]);
}

export const country = chooser(countries);

/** Returns the country with an ISO code. */
export function countryOf(code) {
  const found = countries.find(([one]) => one.code === code);
  if (!found) throw new Error(`The population has no country ${code}.`);
  return found[0];
}

/** Preferences for dark mode, more contrast and reduced motion. Estimates. */
export const preferences = chooser(
  [
    ['light', 60],
    ['dark', 40],
  ].flatMap(([scheme, share]) => [
    [scheme, share * 0.9],
    [`${scheme} motion`, share * 0.07],
    [`${scheme} contrast`, share * 0.02],
    [`${scheme} forced`, share * 0.01],
  ]),
);
