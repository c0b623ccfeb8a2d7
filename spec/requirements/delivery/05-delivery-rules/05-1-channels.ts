import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 5.1. */
export const channels = [
  {
    id: 'DL-5.1-01',
    section: '5.1',
    text: 'The channel `Email` sends an HTML email through the email adapter that the host registered.',
  },
  { id: 'DL-5.1-02', section: '5.1', text: 'The channel `Email` shows the preview rows as an HTML table.' },
  {
    id: 'DL-5.1-03',
    section: '5.1',
    text: 'The channel `Email` attaches a CSV or XLSX file when the subscription includes one.',
  },
  {
    id: 'DL-5.1-04',
    section: '5.1',
    text: 'The channel `ChatCards` posts a card document of schema version 1.5 to the webhook.',
  },
  {
    id: 'DL-5.1-05',
    section: '5.1',
    text: 'The channel `ChatCards` shows the first 10 rows and the first 3 columns and attaches nothing.',
  },
  {
    id: 'DL-5.1-06',
    section: '5.1',
    text: 'The channel `ChatBlocks` posts a block message of header, query in a code block when shown, results line, rows and button, in this order.',
  },
  {
    id: 'DL-5.1-07',
    section: '5.1',
    text: 'The results line of a `ChatBlocks` message says how many of how many total records are shown.',
  },
  {
    id: 'DL-5.1-08',
    section: '5.1',
    text: 'The channel `ChatBlocks` shows rows as a fixed-width text table in a code block, and attaches nothing.',
  },
  {
    id: 'DL-5.1-09',
    section: '5.1',
    text: 'A `ChatBlocks` message has a button View Full Results when a base URL is set.',
  },
  {
    id: 'DL-5.1-10',
    section: '5.1',
    text: 'The channel `ChatBlocks` shows the first 5 columns, each cut to 20 characters.',
  },
  {
    id: 'DL-5.1-11',
    section: '5.1',
    text: "The channel `IssueTracker` creates an issue of type Task, or a comment on one, through the tracker's cloud REST API.",
  },
  { id: 'DL-5.1-12', section: '5.1', text: 'The channel `IssueTracker` shows the preview rows as a table.' },
  {
    id: 'DL-5.1-13',
    section: '5.1',
    text: 'The channel `IssueTracker` posts its comment without the attachment and logs a warning about it.',
  },
  {
    id: 'DL-5.1-14',
    section: '5.1',
    text: 'The channel `Webhook` posts the default JSON body or the processed body template.',
  },
  {
    id: 'DL-5.1-15',
    section: '5.1',
    text: 'The channel `Webhook` shows the preview rows as JSON and attaches nothing.',
  },
  {
    id: 'DL-5.1-16',
    section: '5.1',
    text: 'The title of every message is `[Svc] {data source} - {query name}`, as the subject of an email and the header of a block message.',
  },
  { id: 'DL-5.1-17', section: '5.1', text: 'A card message shows the data source and the query name.' },
  {
    id: 'DL-5.1-18',
    section: '5.1',
    text: "A message previews at most the first 20 rows, cut further by the subscription's Max rows and then by the channel's limits.",
  },
  { id: 'DL-5.1-19', section: '5.1', text: 'A message always states the total row count.' },
  {
    id: 'DL-5.1-20',
    section: '5.1',
    text: 'A message holds the query text only when Show query text in notification is on.',
  },
  {
    id: 'DL-5.1-21',
    section: '5.1',
    text: 'A block message and a webhook message hold the details of an anomaly when anomaly detection flagged the run.',
  },
  {
    id: 'DL-5.1-22',
    section: '5.1',
    text: 'A message links to `{BaseUrl}/notifications/{id}` when a base URL is set.',
  },
  {
    id: 'DL-5.1-23',
    section: '5.1',
    text: 'Rows are PII-masked before they reach any channel, the attachment included.',
  },
  {
    id: 'DL-5.1-24',
    section: '5.1',
    text: 'A card message has a title, the data source and query name, the query text when shown, and a table of the first 10 rows and 3 columns.',
  },
  {
    id: 'DL-5.1-25',
    section: '5.1',
    text: 'The table of a card message is headed First 10 records when there are more.',
  },
  {
    id: 'DL-5.1-26',
    section: '5.1',
    text: 'A card message has a button View Query Results when a base URL is set.',
  },
  {
    id: 'DL-5.1-27',
    section: '5.1',
    text: 'An issue has the summary `SVC: {query name}`, the label `Svc` and the priority Medium.',
  },
  {
    id: 'DL-5.1-28',
    section: '5.1',
    text: 'The description of an issue holds the total row count, the query text when shown, and the preview rows as a table.',
  },
  {
    id: 'DL-5.1-29',
    section: '5.1',
    text: "The content of an issue's description is also added to it as a comment.",
  },
  {
    id: 'DL-5.1-30',
    section: '5.1',
    text: 'A later delivery to the issue tracker comments on the earlier issue when that is found, and otherwise creates a new issue.',
  },
  {
    id: 'DL-5.1-31',
    section: '5.1',
    text: 'The host must register an email adapter before email recipients can be created.',
  },
  {
    id: 'DL-5.1-32',
    section: '5.1',
    text: "The email adapter receives the recipient's address, the subject and an HTML body in which every value is HTML-encoded.",
  },
  {
    id: 'DL-5.1-33',
    section: '5.1',
    text: 'The email adapter may receive a file with `Name`, `ContentType` and the bytes in `Data`.',
  },
  { id: 'DL-5.1-34', section: '5.1', text: 'The service itself sends no email.' },
  {
    id: 'DL-5.1-35',
    section: '5.1',
    text: 'A `ChatBlocks` message has an anomaly block below its header when anomaly detection flagged the run.',
  },
  {
    id: 'DL-5.1-36',
    section: '5.1',
    text: 'The channel `ChatBlocks` shows the first rows of the preview, never more than 25.',
  },
] as const satisfies readonly RequirementEntry[];
