import { createGlossaryService, glossaryRoutes } from '../domains/glossary/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

/** What the words of projects mean. */
export const composeGlossary = ({ database, audit }: Ground): Part => ({
  routes: glossaryRoutes(createGlossaryService({ database, audit })),
});
