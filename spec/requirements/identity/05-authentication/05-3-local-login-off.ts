import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 5.3. */
export const localLoginOff = [
  {
    id: 'ID-5.3-01',
    section: '5.3',
    text: 'With local login off and no break-glass name configured, `POST /svc/api/auth/login` does not exist.',
  },
  { id: 'ID-5.3-02', section: '5.3', text: 'With local login off the password form is hidden.' },
  {
    id: 'ID-5.3-03',
    section: '5.3',
    text: 'With local login off every password provider refuses every sign-in that is not break-glass.',
  },
  {
    id: 'ID-5.3-04',
    section: '5.3',
    text: 'Break-glass names are stored user names that are compared exactly and with their case.',
  },
  {
    id: 'ID-5.3-05',
    section: '5.3',
    text: 'A break-glass user can sign in only while enabled and not archived.',
  },
  { id: 'ID-5.3-06', section: '5.3', text: 'More than three break-glass user names are refused.' },
  {
    id: 'ID-5.3-07',
    section: '5.3',
    text: 'Each break-glass sign-in logs `BreakGlassSignIn` with event id 7119 at level Warning.',
  },
  {
    id: 'ID-5.3-08',
    section: '5.3',
    text: 'The service refuses to start when local login is off and neither SSO, nor an external login, nor a break-glass name would let anyone sign in.',
  },
] as const satisfies readonly RequirementEntry[];
