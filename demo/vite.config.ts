import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  // Relative, so that the site works under any path.
  base: './',
  plugins: [react()],
  build: {
    target: 'es2022',
    // The built server is next to it.
    outDir: 'dist/site',
    // The Content-Security-Policy does not allow data: fonts and scripts, so everything stays a file.
    assetsInlineLimit: 0,
  },
});
