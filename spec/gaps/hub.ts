import type { RequirementId } from '../requirements/index.ts';

/** Requirements about hub that no scenario verifies yet. */
export const hub: readonly RequirementId[] = [
  'ID-3.3-05',
  'ID-5.7-13',
  'RT-1-04',
  'RT-2-06',
  'RT-4.5-01',
  'RT-4.5-02',
  'RT-4.5-03',
  'RT-4.5-04',
  'RT-4.5-05',
  'RT-4.5-06',
  'RT-4.5-07',
  'RT-4.5-08',
  'RT-6-01',
  'RT-6-02',
  'RT-6-03',
  'RT-6-04',
  'RT-6-05',
];
