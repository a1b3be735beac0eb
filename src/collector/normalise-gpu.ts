/** Software renderers, by the part of the name that all versions share. */
const software = /swiftshader|llvmpipe|softpipe|basic render|software/;

/** Translation layers and wrappers, up to the innermost one. They can be nested. */
const layers = /^.*((angle|vulkan [\d.]+|d3d12|virgl|zink) ?\(+|renderer: |gallium [\d.]+ on |mesa (dri )?)/;

/** What follows the model: text in parentheses, the bus, or the graphics API and its version. */
const tail = /([();]|\/(pci|agp|integ)| (direct3d|opengl|vs_\d)).*/;

/**
 * Words that do not identify the model, and vendor names, which some drivers put in front (even twice) and others omit.
 */
const filler = /^ *((nvidia|amd|ati|intel|qualcomm|samsung) +)+| (series|graphics)\b/g;

/**
 * Returns the GPU model from a WebGL renderer string. Removes everything that an update of the browser or driver
 * changes: translation layers, versions of layer, driver, kernel and compiler, device numbers, trademark signs and the
 * vendor.
 *
 * ANGLE has written `ANGLE (vendor, model, version)` since 2021, without other commas. Older versions, and drivers that
 * are built on ANGLE themselves, write `ANGLE (model)`. Without ANGLE, the string begins with the model.
 */
export function normaliseGpu(renderer: string): string {
  const text = renderer.toLowerCase().replace(/\((r|tm)\)/g, ' ');
  const [first = '', second] = text.replace(/, or similar$/, '').split(',');
  const model = (text.startsWith('angle (') && second) || first;
  return (
    software.exec(text)?.[0] ??
    model.replace(layers, '').replace(tail, '').replace(filler, '').replace(/\s+/g, ' ').trim()
  );
}
