import type { RequirementId } from '../requirements/index.ts';

/** Requirements about break glass that no scenario verifies yet. */
export const breakGlass: readonly RequirementId[] = [];
