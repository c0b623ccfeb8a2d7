import type { RequirementId } from '../requirements/index.ts';

/** Requirements about hub that no scenario verifies yet. */
export const hub: readonly RequirementId[] = ['RT-6-05'];
