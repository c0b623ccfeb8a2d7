import type { RequirementId } from '../requirements/index.ts';

/** Requirements about rest groups that no scenario verifies yet. */
export const restGroups: readonly RequirementId[] = [
  'RT-4.3-08',
  'RT-4.3-09',

  'RT-4.3-23',
  'RT-4.3-39',
  'RT-4.3-41',
  'RT-4.3-42',
  'RT-4.3-43',
  'RT-4.3-44',
  'RT-4.3-45',
  'RT-4.3-49',
  'RT-4.3-50',
  'RT-4.3-51',
  'RT-4.3-52',
  'RT-4.3-53',
  'RT-4.3-58',
  'RT-4.3-59',
  'RT-4.3-60',
  'RT-4.3-61',
  'RT-4.3-68',
  'RT-4.3-70',
];
