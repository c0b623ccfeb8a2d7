import { listGlossary, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One page of the glossary of a project. */
export const terms = (projectId: number, query: QueryOf<typeof listGlossary>) =>
  read(listGlossary, { query: { ...query, projectId } });
