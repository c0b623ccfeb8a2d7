import { Select, TextInput } from '@mantine/core';
import { type LlmUsage, type LlmUsageGroup, llmUsageGroups } from '@svc/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count, money, plural, words } from '../../lib/format.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { llmUsage } from './requests/llm-usage.ts';

type Item = LlmUsage['items'][number];

const spans = [7, 30, 90, 365] as const;

type Span = Parameters<typeof llmUsage>[1];
const isSame = (one: Span, other: Span) => one.from === other.from && one.to === other.to;

/** Returns the span of the last days in UTC. Both ends are inclusive. */
function lastDays(days: number): Span {
  const dayOf = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);
  return { from: dayOf(days - 1), to: dayOf(0) };
}

const number = (value: number) => <span className="mono">{count(value)}</span>;

const columnsOf = (by: LlmUsageGroup, hasCosts: boolean): readonly Column<Item>[] => [
  { id: 'label', label: by, cell: (row) => (by === 'Purpose' ? words(row.label) : row.label) },
  { id: 'calls', label: 'Calls', width: '88px', align: 'right', cell: (row) => number(row.calls) },
  {
    id: 'failed',
    label: 'Failed',
    width: '88px',
    align: 'right',
    from: 640,
    cell: (row) => number(row.failedCalls),
  },
  {
    id: 'input',
    label: 'Tokens in',
    width: '112px',
    align: 'right',
    from: 480,
    cell: (row) => number(row.inputTokens),
  },
  {
    id: 'output',
    label: 'Tokens out',
    width: '112px',
    align: 'right',
    cell: (row) => number(row.outputTokens),
  },
  ...(hasCosts
    ? [
        {
          id: 'cost',
          label: 'Cost',
          width: '104px',
          align: 'right' as const,
          from: 640 as const,
          cell: (row: Item) => <span className="mono">{money(row.cost)}</span>,
        },
      ]
    : []),
];

/** Usage of the language model, and the remaining part of the monthly budget. */
export function LlmUsageSection() {
  const [by, setBy] = useState<LlmUsageGroup>('Day');
  const [span, setSpan] = useState<Span>(() => lastDays(30));
  const usage = useQuery({ ...llmUsage(by, span), placeholderData: keepPreviousData });
  return (
    <section aria-label="Tokens used" className="stack-tight">
      <h2>Tokens used</h2>
      {usage.data && <p className="soft">{monthInWords(usage.data)}</p>}
      <div className="row wrap" style={{ gap: 12 }}>
        <Select
          label="By"
          w={160}
          allowDeselect={false}
          data={[...llmUsageGroups]}
          value={by}
          onChange={(value) => setBy(llmUsageGroups.find((group) => group === value) ?? 'Day')}
        />
        <Select
          label="Of the last"
          w={160}
          placeholder="Chosen days"
          data={spans.map((days) => ({ value: String(days), label: plural(days, 'day') }))}
          value={spans.map(String).find((days) => isSame(span, lastDays(Number(days)))) ?? null}
          onChange={(days) => days !== null && setSpan(lastDays(Number(days)))}
        />
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            label={end === 'from' ? 'From' : 'To'}
            type="date"
            w={160}
            required
            withAsterisk={false}
            value={span[end]}
            onChange={({ currentTarget: { value } }) => value !== '' && setSpan({ ...span, [end]: value })}
          />
        ))}
      </div>
      {usage.isError ? (
        <ProblemView error={usage.error} onRetry={() => void usage.refetch()} />
      ) : usage.data?.items.length === 0 ? (
        <p>No calls in this period.</p>
      ) : (
        <Table
          label="Tokens used"
          columns={columnsOf(usage.data?.by ?? by, (usage.data?.total.cost ?? 0) > 0)}
          rows={usage.data?.items}
          isStale={usage.isPlaceholderData}
          keyOf={(row) => row.key}
        />
      )}
    </section>
  );
}

function moneyInWords({ money: { spent, limit } }: LlmUsage['month']): string {
  if (limit !== null) return ` Calls cost ${money(spent)} of ${money(limit)}.`;
  return spent > 0 ? ` Calls cost ${money(spent)}.` : '';
}

function monthInWords({ month, total }: LlmUsage): string {
  const { spent, reserved, limit } = month;
  const used = `This month ${plural(spent, 'token is', 'tokens are')} spent`;
  const of = limit === null ? ', without a limit' : ` of ${count(limit)}`;
  const held = reserved > 0 ? `, and ${count(reserved)} are set aside for calls under way` : '';
  const guessed =
    total.estimatedCalls > 0
      ? ` Of ${plural(total.estimatedCalls, 'call')} below, the provider counted nothing: an upper bound is booked.`
      : '';
  return `${used}${of}${held}.${moneyInWords(month)}${guessed}`;
}
