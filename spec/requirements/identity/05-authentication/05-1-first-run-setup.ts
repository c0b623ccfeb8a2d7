import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 5.1. */
export const firstRunSetup = [
  {
    id: 'ID-5.1-01',
    section: '5.1',
    text: 'While user management is on and no administrator exists, every browser request is redirected to `/svc/setup`.',
  },
  {
    id: 'ID-5.1-02',
    section: '5.1',
    text: 'While user management is on and no administrator exists, every API request except the setup routes and the MCP discovery documents is redirected to `/svc/setup`.',
  },
  {
    id: 'ID-5.1-03',
    section: '5.1',
    text: 'While no administrator exists, `GET /svc/api/health` is redirected to `/svc/setup` as well.',
  },
  {
    id: 'ID-5.1-04',
    section: '5.1',
    text: 'The setup token is the value of `Svc:UserManagement:SetupToken` when that is set.',
  },
  {
    id: 'ID-5.1-05',
    section: '5.1',
    text: 'Without a configured setup token a random one is printed once to the error stream of the process, on a line that calls it the first-run setup token.',
  },
  { id: 'ID-5.1-06', section: '5.1', text: 'The generated setup token never goes through the logger.' },
  {
    id: 'ID-5.1-07',
    section: '5.1',
    text: 'Each of several replicas generates a console setup token of its own when none is configured.',
  },
  {
    id: 'ID-5.1-08',
    section: '5.1',
    text: 'A setup token that is configured for several instances comes from the settings and may be taken out of them again after setup.',
  },
  {
    id: 'ID-5.1-09',
    section: '5.1',
    text: 'Until the first administrator exists, SSO and MCP sign-ins cannot create other users.',
  },
] as const satisfies readonly RequirementEntry[];
