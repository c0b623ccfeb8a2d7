import type { RequirementId } from '../requirements/index.ts';

/** Requirements about body templates that no scenario verifies yet. */
export const bodyTemplates: readonly RequirementId[] = [];
