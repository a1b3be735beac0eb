import { type DescriptorParts, describe } from '../descriptor.js';
import type { ReadingContext, ReadingValue } from '../result.js';

const everywhere = ['Noto Sans', 'Open Sans', 'Roboto'];
const office = ['Aptos', 'Gill Sans MT', 'Minion Pro', 'Wingdings 2'];
const apple = ['Calibri', 'Galvji', 'Luminari', 'STIX Two Text', ...office];

/**
 * The fonts looked for on each system: those that tell most there. Each came with one version of the
 * system or with one program, and is on neither nearly all of its devices nor nearly none.
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
 * Which of a list of fonts are installed. A font face with nothing but a `local()` source loads if, and only if, the
 * system has the font (CSS Fonts Level 4, section 4.3.1): no text is measured, nothing is put into the page, and no
 * style of the page, nor a web font of the same name, has a say. `local()` takes the full name of a face: that of the
 * plain one is the family's in some versions of a font and has Regular behind it in others, so either will do. A look-up
 * costs up to a millisecond, so only those are made that can tell something on the system at hand.
 */
export async function fonts({ pause }: ReadingContext): Promise<ReadingValue | undefined> {
  if (typeof FontFace !== 'function') return undefined;
  const lookUps: Promise<string>[] = [];
  for (const family of [...families[describe().os], ...everywhere]) {
    const face = new FontFace(family, `local("${family}"),local("${family} Regular")`);
    const load = face.load().then(
      () => family,
      () => '',
    );
    lookUps.push(load);
    await pause();
  }
  return (await Promise.all(lookUps)).filter(Boolean);
}
