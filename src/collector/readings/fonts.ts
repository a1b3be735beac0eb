import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * The fonts looked for, by full name, that tell most: each comes with one system, one version of it, or one program,
 * and is on neither nearly all nor nearly no devices.
 */
const families = [
  'Agency FB',
  'American Typewriter',
  'Aptos',
  'Arial Narrow',
  'Arial Unicode MS',
  'Bahnschrift',
  'Calibri',
  'Cantarell',
  'Century Gothic',
  'DejaVu Sans',
  'Futura Medium',
  'Galvji',
  'Gill Sans MT',
  'Helvetica Neue',
  'HoloLens MDL2 Assets',
  'Impact',
  'Ink Free',
  'InaiMathi',
  'Kefa Regular',
  'Leelawadee UI',
  'Levenim MT',
  'Liberation Sans',
  'Luminari',
  'Marlett',
  'Menlo Regular',
  'Microsoft Uighur',
  'Minion Pro',
  'Monotype Corsiva',
  'MS Gothic',
  'MS Outlook',
  'Noto Sans',
  'Nirmala UI',
  'Open Sans',
  'PT Sans',
  'Roboto',
  'Segoe Fluent Icons',
  'Segoe UI Historic',
  'SimSun',
  'Sitka Text',
  'Source Code Pro',
  'Ubuntu',
  'Vrinda',
  'Wingdings 2',
  'ZWAdobeF',
];

/**
 * Which of a list of fonts are installed. A font face with nothing but a `local()` source loads if, and only if, the
 * system has the font (CSS Fonts Level 4, section 4.3.1): no text is measured, nothing is put into the page, the look-up
 * runs beside the main thread, and no style of the page, nor a web font of the same name, has a say.
 */
export async function fonts({ pause }: ReadingContext): Promise<ReadingValue | undefined> {
  if (typeof FontFace !== 'function') return undefined;
  const lookUps: Promise<string>[] = [];
  for (const family of families) {
    const face = new FontFace(family, `local("${family}")`);
    const load = face.load().then(
      () => family,
      () => '',
    );
    if (lookUps.push(load) % 8 === 0) await pause();
  }
  return (await Promise.all(lookUps)).filter(Boolean);
}
