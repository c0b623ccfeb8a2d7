import type { RequirementId } from '../requirements/index.ts';

/** Requirements about data sources that no scenario verifies yet. */
export const dataSources: readonly RequirementId[] = [
  'RT-4.3-16',

  'RT-4.3-19',

  'RT-4.3-21',
  'RT-4.3-22',
];
