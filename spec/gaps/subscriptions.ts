import type { RequirementId } from '../requirements/index.ts';

/** Requirements about subscriptions that no scenario verifies yet. */
export const subscriptions: readonly RequirementId[] = [];
