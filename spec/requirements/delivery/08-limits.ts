import type { RequirementEntry } from '../entry.ts';

/** notification delivery and endpoint observability, section 8. */
export const limits = [
  { id: 'DL-8-01', section: '8', text: 'A message previews at most 20 rows, cut further by Max rows.' },
  { id: 'DL-8-02', section: '8', text: 'A card shows at most 10 rows and 3 columns.' },
  {
    id: 'DL-8-03',
    section: '8',
    text: 'A block message shows at most 25 rows, 5 columns and 20 characters a column.',
  },
  {
    id: 'DL-8-04',
    section: '8',
    text: 'A recipient has at most 20 custom headers, each value at most 4,096 characters long.',
  },
  {
    id: 'DL-8-05',
    section: '8',
    text: 'An attachment has at most Max rows rows, and never more than `Svc:Query:MaxExecutionRows`.',
  },
  { id: 'DL-8-06', section: '8', text: 'A page of the history has 20 runs by default and at most 200.' },
  { id: 'DL-8-07', section: '8', text: 'A fingerprint has 12 hexadecimal characters.' },
] as const satisfies readonly RequirementEntry[];
