import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import workspace from '../../package.json' with { type: 'json' };
import manifest from './package.json' with { type: 'json' };
import { styleNoncePlaceholder } from './tools/nonce.ts';
import { slimContract } from './tools/slim-contract.ts';

/** Everything lives under `/svc`; files with a hash in their name under `/svc/assets`. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/svc/',
  plugins: [react(), slimContract()],
  // The page knows the path below which the service is mounted; what it loads finds the rest beside itself.
  experimental: {
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  resolve: { conditions: ['svc-source', 'module', 'browser', 'development|production'] },
  define: { __VERSION__: JSON.stringify(manifest.version), __LICENSE__: JSON.stringify(workspace.license) },
  html: { cspNonce: styleNoncePlaceholder },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    // A data: URL would need a wider policy for fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the first page needs, whichever it is: one file, however many pages use a piece of it.
            { name: 'start', test: /packages\/web\/src\/app\/main\.tsx$/ },
          ],
        },
      },
    },
  },
});
