export { createNoteSchema } from './note-schema.ts';
export { glossaryRoutes } from './routes.ts';
export { createGlossaryService } from './service.ts';
export { activeTerms } from './store.ts';
