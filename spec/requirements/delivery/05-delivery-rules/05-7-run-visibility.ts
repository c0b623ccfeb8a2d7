import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 5.7. */
export const runVisibility = [
  { id: 'DL-5.7-01', section: '5.7', text: 'A run is visible to an Admin always.' },
  {
    id: 'DL-5.7-02',
    section: '5.7',
    text: 'A run is visible to a signed-in user when one readable project holds every data source that the run read.',
  },
  {
    id: 'DL-5.7-03',
    section: '5.7',
    text: 'A run is visible to a signed-in user when every data source that the run read is openly reachable.',
  },
  {
    id: 'DL-5.7-04',
    section: '5.7',
    text: 'A run is visible to a key or MCP caller that is restricted to projects only when one of these projects holds every data source the run read.',
  },
  {
    id: 'DL-5.7-05',
    section: '5.7',
    text: 'Runs recorded before data sources were kept are hidden from callers that are restricted to projects.',
  },
  {
    id: 'DL-5.7-06',
    section: '5.7',
    text: 'A run is never visible to a key or MCP caller without a project, or to an anonymous request.',
  },
  { id: 'DL-5.7-07', section: '5.7', text: 'Hidden runs are left out of lists and answer as not found.' },
  {
    id: 'DL-5.7-08',
    section: '5.7',
    text: "The rule about who sees a run holds for the notification list and pages, the home activity feed, the control-tower detail, task executions, task result history and a subscription's anomaly chart.",
  },
] as const satisfies readonly RequirementEntry[];
