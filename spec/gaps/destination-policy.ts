import type { RequirementId } from '../requirements/index.ts';

/** Requirements about destination policy that no scenario verifies yet. */
export const destinationPolicy: readonly RequirementId[] = [];
