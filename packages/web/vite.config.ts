import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import workspace from '../../package.json' with { type: 'json' };
import manifest from './package.json' with { type: 'json' };
import { styleNoncePlaceholder } from './tools/nonce.ts';
import { retryableImports } from './tools/retryable-imports.ts';
import { slimContract } from './tools/slim-contract.ts';
import { slimFonts } from './tools/slim-fonts.ts';
import { slimStyles } from './tools/slim-styles.ts';

/** Parts that pages with a list load, and no other page. */
const listParts =
  /packages\/web\/src\/ui\/list\/(list-page|list-toolbar|use-list|filter-chips|column-choice|newer-badge|selection|selection-bar)\.(tsx?|module\.css)$/;

/** Everything lives under `/svc`; files with a hash in their name under `/svc/assets`. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/svc/',
  plugins: [react(), retryableImports(), slimContract(), slimFonts(), slimStyles()],
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
    // A browser that knows no such hint loads the same a little later.
    modulePreload: { polyfill: false },
    // A data: URL would need a wider policy for fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file for each of these with all that it imports, however many pages use a piece of it: what every
            // page starts with, the fields of the sign-in page, what home and the lists draw with.
            {
              name: 'start',
              priority: 4,
              test: /packages\/web\/src\/(app\/main|ui\/frame\/flow)\.tsx$/,
            },
            {
              name: 'field',
              priority: 3,
              test: /@mantine\/core\/esm\/components\/(TextInput|PasswordInput|Checkbox|CloseButton)\/|packages\/web\/src\/(lib\/form|ui\/frame\/(address|go))\.tsx?$/,
            },
            { name: 'shell', priority: 2.5, test: /packages\/web\/src\/app\/shell\/shell\.tsx$/ },
            {
              name: 'list',
              priority: 2,
              test: /packages\/web\/src\/(access\/needs-editor|ui\/(list\/table|text\/time|record\/(bars|status)|frame\/(page-header|link-button|preference|flow-page)|feedback\/skeleton)|views\/(runs\/(ribbon|notification-columns|run-status)|workers\/waiting-work)|lib\/liveness|requests\/(runs\/)?[a-z-]+)\.tsx?$/,
            },
            // Modules that nearly all other pages use, without the parts of lists.
            { name: 'page', priority: 1, minShareCount: 15, test: (module) => !listParts.test(module) },
            { name: 'list-page', priority: 0.95, test: listParts },
            // Calls of the API that more than one page makes, and parts that all kinds of records show. A page
            // contains the calls that only it makes.
            {
              name: 'record',
              priority: 0.9,
              test: /^virtual:endpoint\/|packages\/web\/src\/views\/managed\/managed-badge\.tsx$/,
              minShareCount: 2,
            },
            // Modules that draw a list of subscriptions, on the page of subscriptions and next to a query.
            {
              name: 'subscriptions',
              priority: 0.6,
              test: /packages\/web\/src\/views\/(subscriptions\/(subscription-columns|subscription-state)|schedule\/next-run)\.tsx?$/,
            },
            // Home, with the problems that exist now; the control tower shows them too.
            {
              name: 'home-page',
              priority: 0.55,
              test: /packages\/web\/src\/(features\/home\/home-page|views\/firing\/firing-now)\.tsx$/,
            },
            // Modules that run a query and show its result, then the modules for writing a query.
            {
              name: 'result',
              priority: 0.5,
              test: /packages\/web\/src\/(views\/(results\/(cells|later-grid|kept-result)|query-run\/(use-run|parameters-panel))|features\/queries\/(results\/results-panel|requests\/download)|lib\/save-file|ui\/feedback\/use-download)\.tsx?$/,
            },
            {
              name: 'writing',
              priority: 0.4,
              test: /packages\/web\/src\/(views\/(query-run\/draft|sql\/(text-problem|text-tokens|quoting|completion\/sql-text|sql-field|placeholder-text)|schema\/schema-browser)|ui\/frame\/(split|keys\/use-editor-keys)|lib\/random-uuid)\.tsx?$/,
            },
          ],
        },
      },
    },
  },
});
