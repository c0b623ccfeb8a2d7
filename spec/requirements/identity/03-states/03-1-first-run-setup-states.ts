import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 3.1. */
export const firstRunSetupStates = [
  {
    id: 'ID-3.1-01',
    section: '3.1',
    text: 'While setup is open, a setup request with the right token and a valid body creates the first super admin and closes setup.',
  },
  { id: 'ID-3.1-02', section: '3.1', text: 'Once setup has closed it never opens again.' },
  {
    id: 'ID-3.1-03',
    section: '3.1',
    text: 'A setup request with a wrong token answers 403 and leaves setup open.',
  },
  {
    id: 'ID-3.1-04',
    section: '3.1',
    text: 'A setup request that loses the race against another one that finished first answers 409.',
  },
  { id: 'ID-3.1-05', section: '3.1', text: 'Any setup request after setup has closed answers 400.' },
] as const satisfies readonly RequirementEntry[];
