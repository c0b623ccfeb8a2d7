import type { RequirementEntry } from '../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 0. */
export const naming = [
  {
    id: 'RT-0-01',
    section: '0',
    text: "Route paths spell the product's name as `svc` and are relative to the base URL under which the host serves the service.",
  },
] as const satisfies readonly RequirementEntry[];
