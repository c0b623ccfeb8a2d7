import type { RequirementId } from '../requirements/index.ts';

/** Requirements about host owned sign in that no scenario verifies yet. */
export const hostOwnedSignIn: readonly RequirementId[] = [
  'ID-1-08',
  'ID-2.6-14',
  'ID-5.9-01',
  'ID-5.9-02',
  'ID-5.9-03',
  'ID-5.9-04',
  'ID-5.9-05',
  'ID-5.9-06',
  'ID-5.9-07',
];
