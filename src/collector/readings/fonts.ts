import { type DescriptorParts, describe } from '../descriptor.js';
import type { ReadingContext, ReadingValue } from '../result.js';

const everywhere = ['Noto Sans', 'Open Sans', 'Roboto'];
const office = ['Aptos', 'Gill Sans MT', 'Minion Pro', 'Wingdings 2'];
const apple = ['Calibri', 'Galvji', 'Luminari', 'STIX Two Text', ...office];

/**
 * The fonts to test on each system, chosen to distinguish devices. Each one comes with one version of the system or
 * with one program, and is neither on nearly all devices of the system nor on nearly none.
 */
const families: Readonly<Record<DescriptorParts['os'], readonly string[]>> = {
  w: ['Agency FB', 'Bahnschrift', 'HoloLens MDL2 Assets', 'Ink Free', 'MS Mincho', 'Segoe Fluent Icons', ...office],
  m: apple,
  i: apple,
  a: ['Cutive Mono', 'Dancing Script', 'OnePlus Sans', 'SamsungOne'],
  c: ['Cousine', 'Noto Sans CJK JP'],
  l: ['Arial', 'Cantarell', 'Carlito', 'DejaVu Sans', 'Liberation Sans', 'Ubuntu'],
  u: [],
};

/**
 * Tests which fonts of a list for the current system are installed.
 *
 * A font face whose only source is `local()` loads if and only if the system has the font (CSS Fonts Level 4, section
 * 4.3.1). No text is measured, nothing is added to the page, and neither the page's styles nor a web font of the same
 * name affects the result. `local()` takes the full name of a face. The regular face has the family's name in some
 * versions of a font, and that name followed by "Regular" in others, so either one counts. A test takes up to a
 * millisecond, so only fonts that distinguish devices of the current system are tested.
 */
export async function fonts({ pause }: ReadingContext): Promise<ReadingValue | undefined> {
  if (typeof FontFace !== 'function') return undefined;
  let lookUps: Promise<string>[] = [];
  for (const family of [...families[describe().os], ...everywhere]) {
    const face = new FontFace(family, `local("${family}"),local("${family} Regular")`);
    const load = face.load().then(
      () => family,
      () => '',
    );
    lookUps = [...lookUps, load];
    await pause();
  }
  return (await Promise.all(lookUps)).filter(Boolean);
}
