import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Placeholder in the built page that the server replaces by the path of the dashboard. */
const prefixPlaceholder = '__DASHBOARD_PREFIX__';

/**
 * Built files reference each other by relative paths, so that they work under any prefix. The page references them by
 * the prefix.
 */
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
    // First versions that support light-dark(), which the themes use.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
});
