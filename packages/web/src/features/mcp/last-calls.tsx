import type { McpToolResult } from '@svc/contract';
import { count, money, plural } from '../../lib/format.ts';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Status } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';

/** Call that the user made on the page. */
export type PlaygroundCall = {
  readonly title: string;
  readonly at: string;
  readonly result: McpToolResult;
};

/** Maximum number of listed calls. */
export const callsMax = 10;

/** Returns the tokens of the language model that a call used. Null if it used no model. */
function tokensOf({ structuredContent }: McpToolResult): number | null {
  const tokens = Object(structuredContent?.['tokens']) as { input?: unknown; output?: unknown };
  const { input, output } = tokens;
  return typeof input === 'number' && typeof output === 'number' && input + output > 0
    ? input + output
    : null;
}

/** Returns the cost of the tokens. Null without prices. */
function moneyOf({ structuredContent }: McpToolResult): string | null {
  const cost = structuredContent?.['cost'];
  return typeof cost === 'number' ? money(cost) : null;
}

/** Describes the cost of a call: duration, size, tokens and price. */
export function costOf(result: McpToolResult): string {
  const tokens = tokensOf(result);
  const cost = moneyOf(result);
  return [
    `${count(result.executionTimeMs)} ms`,
    plural(result.resultBytes, 'byte'),
    ...(tokens === null ? [] : [plural(tokens, 'token')]),
    ...(cost === null ? [] : [`cost ${cost}`]),
  ].join(', ');
}

const columns: readonly Column<PlaygroundCall>[] = [
  { id: 'tool', label: 'Tool', cell: (call) => call.title },
  {
    id: 'outcome',
    label: 'Outcome',
    width: '120px',
    cell: ({ result }) => (
      <Status tone={result.isError ? 'red' : 'green'}>{result.isError ? 'Refused' : 'Answered'}</Status>
    ),
  },
  {
    id: 'rows',
    label: 'Rows',
    width: '72px',
    align: 'right',
    from: 640,
    cell: ({ result }) => result.rowCount,
  },
  {
    id: 'cost',
    label: 'Duration',
    width: '232px',
    from: 640,
    cell: ({ result }) => <span className="mono">{costOf(result)}</span>,
  },
  { id: 'at', label: 'When', width: '112px', from: 480, cell: (call) => <Time at={call.at} isQuiet /> },
];

/** Last calls on this page, newest first. The audit log contains all calls. */
export function LastCalls({ calls }: { readonly calls: readonly PlaygroundCall[] }) {
  if (calls.length === 0) return null;
  return (
    <section className="stack-tight">
      <h2>Your last calls here</h2>
      <Table label="Last calls" columns={columns} rows={calls} keyOf={(call) => call.at + call.title} />
    </section>
  );
}
