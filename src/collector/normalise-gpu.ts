/** Renderers that draw without a graphics processor, by what all versions of them have in common. */
const software = /swiftshader|llvmpipe|softpipe|basic render|software/;

/** Layers that translate or stand in between, up to the innermost: they can lie in one another. */
const layers = /^.*(?:(?:angle|vulkan [\d.]+|d3d12|virgl|zink) ?\(+|renderer: |gallium [\d.]+ on |mesa (?:dri )?)/;

/** What comes after a model: something in parentheses, a bus, an interface and its version. */
const tail = /(?:[();]|\/(?:pci|agp|integ)| (?:direct3d|opengl|vs_\d)).*/;

/** Makers, whom drivers put in front, even twice, or leave out, and words that name no model. */
const filler = /^ *(?:(?:nvidia|amd|ati|intel|qualcomm|samsung) +)+| (?:series|graphics)\b/g;

/**
 * The graphics processor's model out of a WebGL renderer text, without what an update of browser or driver moves: the
 * layers, their versions, those of driver, kernel and compiler, device numbers, trademark signs and the maker.
 *
 * ANGLE writes `ANGLE (maker, model, version)` since 2021, and has no other commas in it; before, and where the driver
 * itself is built on ANGLE, `ANGLE (model)`. Without ANGLE the text begins with the model.
 */
export function normaliseGpu(renderer: string): string {
  const text = renderer.toLowerCase().replace(/\((?:r|tm)\)/g, ' ');
  const [first = '', second] = text.replace(/, or similar$/, '').split(',');
  const model = (text.startsWith('angle (') && second) || first;
  return (
    software.exec(text)?.[0] ??
    model.replace(layers, '').replace(tail, '').replace(filler, '').replace(/\s+/g, ' ').trim()
  );
}
