import type { RequirementEntry } from '../entry.ts';

/** notification delivery and endpoint observability, section 0. */
export const naming = [
  { id: 'DL-0-01', section: '0', text: 'Literal texts of notifications name the product `Svc`.' },
  {
    id: 'DL-0-02',
    section: '0',
    text: 'The team chat with block messages is called `ChatBlocks`, the team chat with cards `ChatCards` and the cloud issue tracker `IssueTracker`.',
  },
] as const satisfies readonly RequirementEntry[];
