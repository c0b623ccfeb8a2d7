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
/** What golden examples say of a pattern; it changes nothing, though it is a POST. */
export const patternReplay = (id: number) => read(replayLearnedPattern, { params: { id } });
export const documentationPatches = (query: QueryOf<typeof listDocumentationPatches>) =>
  read(listDocumentationPatches, { query });
export const learningStats = (projectId: number | undefined) =>
  read(getLearningStats, { query: { ...(projectId !== undefined && { projectId }) } });
