import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 2.1. */
export const setupRequest = [
  {
    id: 'ID-2.1-01',
    section: '2.1',
    text: 'The request that creates the first super admin is a JSON object of the string fields `setupToken`, `userName`, `displayName`, `email`, `password` and `confirmPassword`.',
  },
] as const satisfies readonly RequirementEntry[];
