import type { NotificationDetail } from '@svc/contract';
import { count } from '../../lib/format.ts';
import type { Fact } from '../../ui/record/facts.tsx';
import { resultInWords } from '../../views/runs/result-count.ts';

const mono = (text: string) => <span className="mono">{text}</span>;

/** Counts of a run: rows of a query, or failed rules of a data contract. */
export function countFacts(record: NotificationDetail): readonly Fact[] {
  const { contractId, resultCount, previousResultCount, unroutedCount } = record;
  if (contractId !== null)
    return [{ label: 'Did not pass', value: mono(resultInWords(record) || 'Not known') }];
  return [
    { label: 'Rows', value: resultCount === null ? 'Not known' : mono(count(resultCount)) },
    ...(unroutedCount === null ? [] : [{ label: 'Rows nobody got', value: mono(count(unroutedCount)) }]),
    {
      label: 'Rows before',
      value: previousResultCount === null ? 'No run before' : mono(count(previousResultCount)),
    },
  ];
}
