import type { RequirementId } from '../requirements/index.ts';

/** Requirements about mcp that no scenario verifies yet. */
export const mcp: readonly RequirementId[] = [
  'ID-1-03',
  'RT-2-07',
  'RT-2-09',
  'RT-4.1-30',
  'RT-4.3-10',
  'RT-4.3-24',
  'RT-4.3-54',
];
