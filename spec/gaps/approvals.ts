import type { RequirementId } from '../requirements/index.ts';

/** Requirements about approvals that no scenario verifies yet. */
export const approvals: readonly RequirementId[] = ['RT-3-01', 'RT-4.3-47', 'RT-4.3-48'];
