/**
 * The graphics processor's model out of a WebGL renderer text, without what an update of browser or driver moves: the
 * layer that translates (ANGLE, Gallium, Mesa, Vulkan, Metal), its version, the driver's version, device numbers and trademark signs.
 * The vendor text is not used: it names the layer's maker, and its form changed between versions.
 */
export function normaliseGpu(renderer: string): string {
  const software = /swiftshader|llvmpipe|softpipe|basic render/i.exec(renderer);
  if (software) return software[0].toLowerCase();
  const parts = renderer
    .replace(/\((?:R|TM)\)/gi, '')
    .replace(/ANGLE Metal Renderer: |Vulkan [\d.]+ \(|Gallium [\d.]+ on |Mesa (?:DRI )?/g, '')
    .replace(/^ANGLE \(/, '')
    .replace(/\([^()]*\)/g, '')
    .split(',');
  // ANGLE says maker, model, version; others begin with the model.
  const model = (renderer.startsWith('ANGLE (') && parts[1]) || parts[0] || '';
  return model
    .toLowerCase()
    .replace(/ ?(?:\/pcie|direct3d|opengl|on vulkan|vs_\d|\)).*/, '')
    .replace(/^\s*(?:nvidia|amd|ati|intel) |series|graphics/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
