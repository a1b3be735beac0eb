/** A colour as settings have it. */
export const colourForm = /^#[0-9a-f]{6}$/i;

/** Black or white, whichever can be read better on a colour: the contrast is 4.5 to 1 or more (WCAG 2.2, 1.4.3). */
export function readableOn(colour: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => linear(colour.slice(start, start + 2)));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Where both contrasts are the same: (1.05) / (l + 0.05) = (l + 0.05) / 0.05.
  return luminance > 0.179 ? '#000000' : '#ffffff';
}

function linear(channel: string): number {
  const value = Number.parseInt(channel, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
