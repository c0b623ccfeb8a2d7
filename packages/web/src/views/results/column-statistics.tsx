import { useMemo } from 'react';
import { count, plural } from '../../lib/format.ts';
import { Dialog } from '../../ui/form/dialog.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { type Cell, type ResultColumn, statisticsOf } from './cells.ts';

type Props = {
  readonly column: ResultColumn;
  readonly cells: readonly Cell[];
  /** Description of the loaded rows, if the result has more. */
  readonly part: string | undefined;
  readonly onClose: () => void;
};

const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });

/** Statistics of a column over the rows of the grid. */
export function ColumnStatisticsPanel({ column, cells, part, onClose }: Props) {
  const statistics = useMemo(() => statisticsOf(column, cells), [column, cells]);
  const mono = (text: string) => <span className="mono">{text}</span>;
  return (
    <Dialog onClose={onClose} title={`Statistics of ${column.name}`} size={420}>
      <div className="stack">
        <p className="soft">
          {part === undefined
            ? `Over all ${plural(statistics.count, 'row')}.`
            : `Over ${part}. The result has more.`}
        </p>
        <Facts
          facts={[
            { label: 'Type', value: mono(column.databaseType) },
            { label: 'NULL', value: mono(count(statistics.nulls)) },
            { label: 'Distinct', value: mono(count(statistics.distinct)) },
            ...(statistics.min === null ? [] : [{ label: 'Minimum', value: mono(statistics.min) }]),
            ...(statistics.max === null ? [] : [{ label: 'Maximum', value: mono(statistics.max) }]),
            ...(statistics.mean === null
              ? []
              : [{ label: 'Mean', value: mono(digits.format(statistics.mean)) }]),
            ...(statistics.sum === null
              ? []
              : [{ label: 'Sum', value: mono(digits.format(statistics.sum)) }]),
          ]}
        />
        <div>
          <h3>Most frequent</h3>
          <Facts
            facts={statistics.most.map((entry) => ({ label: entry.value, value: mono(count(entry.count)) }))}
          />
        </div>
      </div>
    </Dialog>
  );
}
