import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  // Works wherever it is served from.
  base: './',
  plugins: [react()],
  build: {
    target: 'es2022',
    // Beside it stands the built server.
    outDir: 'dist/site',
    // The Content-Security-Policy has no room for data: fonts and scripts, so everything stays a file.
    assetsInlineLimit: 0,
  },
});
