import {
  getLearnedPattern,
  getLearningStats,
  listDocumentationPatches,
  listLearnedPatterns,
  type QueryOf,
  replayLearnedPattern,
} from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

export const learnedPatterns = (query: QueryOf<typeof listLearnedPatterns>) =>
  read(listLearnedPatterns, { query });
export const learnedPattern = (id: number) => read(getLearnedPattern, { params: { id } });
/**
 * Check of a pattern against golden examples. It is a query although the request is a POST, because it changes no data.
 */
export const patternReplay = (id: number) => read(replayLearnedPattern, { params: { id } });
export const documentationPatches = (query: QueryOf<typeof listDocumentationPatches>) =>
  read(listDocumentationPatches, { query });
export const learningStats = (projectId: number | undefined) =>
  read(getLearningStats, { query: { ...(projectId !== undefined && { projectId }) } });
