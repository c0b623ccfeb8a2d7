import { readFileSync } from 'node:fs';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';

// Written by `npm run docs:site` from the page of contents.
const sidebar = JSON.parse(readFileSync(new URL('./made/sidebar.json', import.meta.url), 'utf8'));

export default defineConfig({
  publicDir: '../../packages/web/public',
  image: { service: passthroughImageService() },
  integrations: [starlight({ title: 'Svc', sidebar, credits: false, pagefind: true })],
});
