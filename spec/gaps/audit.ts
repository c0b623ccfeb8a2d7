import type { RequirementId } from '../requirements/index.ts';

/** Requirements about audit that no scenario verifies yet. */
export const audit: readonly RequirementId[] = [];
