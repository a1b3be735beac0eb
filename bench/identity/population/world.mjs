import { chooser } from './random.mjs';

/**
 * Each country's share of web users in per cent, rounded, with its main languages and time zones. Estimates, because the
 * network contains neither.
 */
const countries = [
  [
    22,
    ['en-US', 90, 'es-US', 5, 'en-GB', 2, 'zh-CN', 3],
    ['New_York', 47, 'Chicago', 29, 'Denver', 7, 'Los_Angeles', 17],
  ],
  [12, ['en-IN', 30, 'en-GB', 20, 'en-US', 40, 'hi-IN', 10], ['Kolkata']],
  [6, ['pt-BR', 93, 'en-US', 7], ['Sao_Paulo', 85, 'Manaus', 15]],
  [5, ['en-GB', 88, 'en-US', 12], ['London']],
  [5, ['de-DE', 85, 'en-US', 10, 'en-GB', 5], ['Berlin']],
  [4, ['fr-FR', 90, 'en-US', 10], ['Paris']],
  [4, ['ja-JP', 96, 'en-US', 4], ['Tokyo']],
  [4, ['id-ID', 70, 'en-US', 30], ['Jakarta', 80, 'Makassar', 20]],
  [3, ['es-MX', 70, 'es-419', 20, 'en-US', 10], ['Mexico_City', 80, 'Tijuana', 10, 'Monterrey', 10]],
  [3, ['it-IT', 94, 'en-US', 6], ['Rome']],
  [3, ['es-ES', 90, 'en-US', 5, 'ca-ES', 5], ['Madrid']],
  [3, ['ru-RU', 95, 'en-US', 5], ['Moscow', 60, 'Yekaterinburg', 25, 'Novosibirsk', 15]],
  [3, ['en-CA', 50, 'en-US', 28, 'fr-CA', 22], ['Toronto', 65, 'Vancouver', 17, 'Edmonton', 18]],
  [3, ['tr-TR', 94, 'en-US', 6], ['Istanbul']],
  [3, ['vi-VN', 85, 'en-US', 15], ['Ho_Chi_Minh']],
  [2, ['ko-KR', 95, 'en-US', 5], ['Seoul']],
  [2, ['pl-PL', 92, 'en-US', 8], ['Warsaw']],
  [2, ['nl-NL', 75, 'en-US', 15, 'en-GB', 10], ['Amsterdam']],
  [2, ['en-AU', 65, 'en-US', 20, 'en-GB', 15], ['Sydney', 60, 'Brisbane', 22, 'Perth', 18]],
  [2, ['en-US', 75, 'en-PH', 20, 'fil-PH', 5], ['Manila']],
  [2, ['es-AR', 60, 'es-419', 30, 'en-US', 10], ['Buenos_Aires']],
  [2, ['es-CO', 40, 'es-419', 50, 'en-US', 10], ['Bogota']],
  [2, ['zh-TW', 92, 'en-US', 8], ['Taipei']],
  [1, ['sv-SE', 80, 'en-US', 20], ['Stockholm']],
  [1, ['uk-UA', 70, 'ru-RU', 20, 'en-US', 10], ['Kyiv']],
  [1, ['en-US', 60, 'en-ZA', 25, 'en-GB', 15], ['Johannesburg']],
  [1, ['en-US', 60, 'ar-EG', 40], ['Cairo']],
  [1, ['en-US', 70, 'en-GB', 30], ['Lagos']],
].map(([share, languages, zones]) => [
  { language: chooser(pairs(languages)), zone: chooser(zones.length === 1 ? [[zones[0], 1]] : pairs(zones)) },
  share,
]);

function pairs(list) {
  return Array.from({ length: Math.ceil(list.length / 2) }, (_, index) => [list[2 * index], list[2 * index + 1] ?? 1]);
}

export const country = chooser(countries);

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
