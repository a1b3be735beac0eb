import { expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { startServer } from './harness/server';
import { inPage } from './support/session';
import { differences, visit } from './support/whorl';

describeEngines('one graphics processor with two drivers', (engine) => {
  // Firefox and WebKitGTK have one driver here.
  test.skipIf(engine.name !== 'chromium')('differs in OpenGL 3.3 from 4.5, in gl alone', async () => {
    const server = await startServer();
    const args = ['--use-angle=gl', '--ignore-gpu-blocklist'];
    const readWith = (environment: Record<string, string>) =>
      inPage(engine, { args, environment }, async (page) => (await visit(page, server.url('/blank.html')))[0]);
    try {
      const newer = await readWith({});
      expect(differences(newer, await readWith({ MESA_GL_VERSION_OVERRIDE: '3.3' }))).toEqual(['gl']);
    } finally {
      await server.close();
    }
  });
});
