import type { RequirementId } from '../requirements/index.ts';

/** Requirements about projects that no scenario verifies yet. */
export const projects: readonly RequirementId[] = ['RT-4.3-15'];
