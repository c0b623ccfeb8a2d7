import type { RequirementEntry } from '../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 3. */
export const approvalOutcome = [
  { id: 'RT-3-01', section: '3', text: 'An approval request ends either approved or rejected.' },
] as const satisfies readonly RequirementEntry[];
