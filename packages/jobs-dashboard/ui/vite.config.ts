import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Stands in the built page where the server writes the path of the dashboard. */
const prefixPlaceholder = '__DASHBOARD_PREFIX__';

/** Files name each other by where they lie, so that they work under any prefix; the page names them by the prefix. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  resolve: { conditions: ['svc-source', 'module', 'browser', 'development|production'] },
  experimental: {
    renderBuiltUrl: (file, { hostType }) =>
      hostType === 'html' ? `${prefixPlaceholder}/${file}` : { relative: true },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // A data: URL would need a wider policy for fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
    target: 'es2022',
    // The first with light-dark(), by which the themes are drawn.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
});
