import { defineCollection } from 'astro:content';
import { docsSchema } from '@astrojs/starlight/schema';
import { glob } from 'astro/loaders';

/** The pages of the documentation, as `npm run docs:site` prepares them. */
export const collections = {
  docs: defineCollection({
    loader: glob({ base: './made/pages', pattern: '**/*.md' }),
    schema: docsSchema(),
  }),
};
