import type { RequirementId } from '../requirements/index.ts';

/** Requirements about sample host that no scenario verifies yet. */
export const sampleHost: readonly RequirementId[] = ['RT-7-10', 'RT-7-11', 'RT-7-12'];
