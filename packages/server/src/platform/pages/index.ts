export { type PagesOptions, pagesPlugin } from './plugin.ts';
