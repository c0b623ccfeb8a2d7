import type { RequirementId } from '../requirements/index.ts';

/** Requirements about api keys that no scenario verifies yet. */
export const apiKeys: readonly RequirementId[] = [];
