import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 5.2. */
export const attachments = [
  {
    id: 'DL-5.2-01',
    section: '5.2',
    text: 'A subscription that includes its results as attachment builds one file per run, as CSV or XLSX by its Attachment format.',
  },
  {
    id: 'DL-5.2-02',
    section: '5.2',
    text: 'The attachment holds the PII-masked result rows up to Max rows.',
  },
  {
    id: 'DL-5.2-03',
    section: '5.2',
    text: 'A result of more than `Svc:Query:MaxExecutionRows` rows fails the run.',
  },
  { id: 'DL-5.2-04', section: '5.2', text: 'Only email delivers the attachment.' },
] as const satisfies readonly RequirementEntry[];
