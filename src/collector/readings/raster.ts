import { drawAndRead } from '../draw.js';
import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * Draws overlapping circles, a curve and a gradient, and reads the pixels. Anti-aliasing and blending differ by
 * rasteriser and processor.
 *
 * The drawing is in main memory, so the graphics processor does not affect it, and always at the same scale.
 */
export function raster({ drawing }: ReadingContext): ReadingValue | undefined {
  return drawAndRead(drawing(), (context) => {
    const gradient = context.createLinearGradient(0, 0, 80, 36);
    gradient.addColorStop(0, '#f40');
    gradient.addColorStop(1, '#04f');
    context.fillStyle = gradient;
    context.bezierCurveTo(10, 60, 60, -25, 75, 30);
    context.quadraticCurveTo(20, 8, 3, 35);
    context.fill('evenodd');
    context.globalCompositeOperation = 'multiply';
    // No `entries`, which prototype.js replaces.
    ['#f2f', '#2ff', '#ff2'].forEach((colour, index) => {
      context.fillStyle = colour;
      context.beginPath();
      context.arc(22.3 + index * 16, 15 + (index % 2) * 6.7, 12.1, 0, 7);
      context.fill();
    });
  });
}
