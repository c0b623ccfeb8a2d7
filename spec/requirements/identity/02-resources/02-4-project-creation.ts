import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 2.4. */
export const projectCreation = [
  {
    id: 'ID-2.4-01',
    section: '2.4',
    text: '`POST /svc/api/projects` accepts a body of just the strings `name` and `description`.',
  },
  {
    id: 'ID-2.4-02',
    section: '2.4',
    text: 'The answer to a created project holds its integer number in `projectId`.',
  },
  { id: 'ID-2.4-03', section: '2.4', text: 'Whoever creates a project is made its ProjectAdmin.' },
] as const satisfies readonly RequirementEntry[];
