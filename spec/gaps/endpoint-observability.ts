import type { RequirementId } from '../requirements/index.ts';

/** Requirements about endpoint observability that no scenario verifies yet. */
export const endpointObservability: readonly RequirementId[] = [
  'DL-4-08',
  'DL-4-09',
  'DL-9.2-17',
  'DL-9.6-01',
  'DL-9.6-02',
  'DL-9.6-03',
  'DL-9.6-04',
  'DL-9.6-05',
  'DL-9.6-06',
  'DL-9.6-07',
];
