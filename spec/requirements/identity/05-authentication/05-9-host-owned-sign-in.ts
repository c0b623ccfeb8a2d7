import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 5.9. */
export const hostOwnedSignIn = [
  {
    id: 'ID-5.9-01',
    section: '5.9',
    text: 'An embedded service whose host authenticates users runs with user management and the login form off.',
  },
  {
    id: 'ID-5.9-02',
    section: '5.9',
    text: "The host's scheme supplies a principal with a name identifier claim and a role claim of `Admin`, `Editor` or `Viewer`.",
  },
  {
    id: 'ID-5.9-03',
    section: '5.9',
    text: 'When the host owns sign-in, signed-out users of the UI are sent to the external login URL that the host configured.',
  },
  {
    id: 'ID-5.9-04',
    section: '5.9',
    text: "Without the service's user store, project membership comes from the membership source that the host registered.",
  },
  {
    id: 'ID-5.9-05',
    section: '5.9',
    text: "Without the service's user store and without a membership source, projects stay open.",
  },
  {
    id: 'ID-5.9-06',
    section: '5.9',
    text: "Of a host principal's role claims only `Admin` grants functional permissions by default.",
  },
  {
    id: 'ID-5.9-07',
    section: '5.9',
    text: "With `HonourHostRoleClaims` on, a host principal's role claim that is named like a permission's role grants that permission.",
  },
] as const satisfies readonly RequirementEntry[];
