import { Button, MultiSelect, Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { plural } from '../../../lib/format.ts';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { readPreference, savePreference } from '../../../ui/frame/preference.ts';
import { Table } from '../../../ui/list/table.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { isNumber, type ResultColumn, type ResultRow } from '../../../views/results/cells.ts';
import {
  type Aggregate,
  aggregates,
  type ChartChoice,
  firstChart,
  isDated,
  measuresMax,
  readChoice,
  type TimeUnit,
  timeUnits,
  writeChoice,
} from './chart-choice.ts';
import { ChartDrawing } from './chart-drawing.tsx';
import { type ChartPoint, pointsOf } from './chart-points.ts';
import classes from './result-chart.module.css';

type Props = {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly ResultRow[];
  /** Saved query of the result. The choice of chart is stored for it. */
  readonly queryId: number | undefined;
  /** Shows the first row of a point. */
  readonly onOpenRow: (row: number) => void;
};

const nameOf = (queryId: number): string => `chart.${queryId}`;

/** Result as a chart, with choices for x-axis, measures and aggregation. */
export function ResultChart({ columns, rows, queryId, onOpenRow }: Props) {
  const [isTable, setTable] = useState(false);
  const [storedChoice, setStoredChoice] = useState(() =>
    queryId === undefined ? undefined : readPreference(nameOf(queryId)),
  );
  const choice = useMemo(
    () => readChoice(columns, storedChoice) ?? firstChart(columns),
    [columns, storedChoice],
  );
  const chartPoints = useMemo(
    () => (choice ? pointsOf(columns, rows, choice) : undefined),
    [columns, rows, choice],
  );
  const names = useMemo(
    () =>
      choice?.aggregate === 'Rows'
        ? ['Rows']
        : (choice?.measures ?? []).map((measure) => columns[measure]?.name ?? ''),
    [columns, choice],
  );
  if (!choice || !chartPoints) {
    return (
      <Empty icon="chart" title="Nothing to draw">
        A chart needs a column of numbers and one other column.
        {columns.some((column) => column.isMasked) && ' Masked columns are not drawn.'}
      </Empty>
    );
  }
  const choose = (part: Partial<ChartChoice>) => {
    const text = writeChoice(columns, { ...choice, ...part });
    setStoredChoice(text);
    if (queryId !== undefined) savePreference(nameOf(queryId), text);
  };
  const across = columns[choice.x]?.name ?? '';
  const what = `${choice.aggregate === 'Rows' ? '' : `${choice.aggregate} of `}${names.join(', ')} over ${across}`;
  return (
    <div className={classes['frame']}>
      <ChartTools columns={columns} choice={choice} onChoose={choose}>
        <Button leftSection={<Icon name={isTable ? 'chart' : 'table'} />} onClick={() => setTable(!isTable)}>
          {isTable ? 'Drawing' : 'Values'}
        </Button>
      </ChartTools>
      <p className={classes['legend']}>
        {names.map((name, index) => (
          <span key={name} className={classes['key']} data-series={index + 1}>
            {name}
          </span>
        ))}
        {chartPoints.leftOut > 0 && (
          <span>
            {plural(chartPoints.leftOut, 'row')} without {across} {chartPoints.leftOut === 1 ? 'is' : 'are'}{' '}
            left out.
          </span>
        )}
      </p>
      {isTable ? (
        <Points label={what} across={across} names={names} points={chartPoints.points} />
      ) : (
        <ChartDrawing
          label={`${what}, ${plural(chartPoints.points.length, 'point')}. “Values” shows them as a table.`}
          choice={choice}
          chartPoints={chartPoints}
          names={names}
          onOpenRow={onOpenRow}
        />
      )}
    </div>
  );
}

type ToolsProps = {
  readonly columns: readonly ResultColumn[];
  readonly choice: ChartChoice;
  readonly onChoose: (part: Partial<ChartChoice>) => void;
  readonly children: React.ReactNode;
};

const unitWords: Readonly<Record<TimeUnit, string>> = {
  Exact: 'As it is',
  Hour: 'By hour',
  Day: 'By day',
  Week: 'By week',
  Month: 'By month',
  Year: 'By year',
};

function ChartTools({ columns, choice, onChoose, children }: ToolsProps) {
  const options = columns.map((column, index) => ({ value: String(index), label: column.name }));
  const across = columns[choice.x];
  return (
    <div className={classes['tools']}>
      <Select
        aria-label="Kind of chart"
        data={[
          { value: 'line', label: 'Line' },
          { value: 'bar', label: 'Bars' },
        ]}
        value={choice.kind}
        onChange={(kind) => onChoose({ kind: kind === 'line' ? 'line' : 'bar' })}
        allowDeselect={false}
        w={96}
      />
      <Select
        aria-label="Aggregate"
        data={[...aggregates]}
        value={choice.aggregate}
        onChange={(aggregate) => onChoose({ aggregate: (aggregate ?? 'Sum') as Aggregate })}
        allowDeselect={false}
        w={120}
      />
      {choice.aggregate !== 'Rows' && (
        <>
          <span className="soft">of</span>
          <MultiSelect
            aria-label="Measures"
            data={options.filter((_, index) => isNumber(columns[index] as ResultColumn))}
            value={choice.measures.map(String)}
            maxValues={measuresMax}
            onChange={(measures) => {
              if (measures.length > 0) onChoose({ measures: measures.map(Number) });
            }}
            className={classes['measures'] ?? ''}
          />
        </>
      )}
      <span className="soft">over</span>
      <Select
        aria-label="Across"
        data={options}
        value={String(choice.x)}
        onChange={(x) => onChoose({ x: Number(x) })}
        allowDeselect={false}
        w={160}
      />
      {across && isDated(across) && (
        <Select
          aria-label="Group dates"
          data={timeUnits.map((unit) => ({ value: unit, label: unitWords[unit] }))}
          value={choice.unit}
          onChange={(unit) => onChoose({ unit: (unit ?? 'Exact') as TimeUnit })}
          allowDeselect={false}
          w={112}
        />
      )}
      <span className="grow" />
      {children}
    </div>
  );
}

type PointsProps = {
  readonly label: string;
  readonly across: string;
  readonly names: readonly string[];
  readonly points: readonly ChartPoint[];
};

/** Table with the values of the chart, for screen readers. */
function Points({ label, across, names, points }: PointsProps) {
  return (
    <div className={classes['points']}>
      <Table
        label={label}
        columns={[
          { id: 'across', label: across, cell: (point: ChartPoint) => point.label },
          ...names.map((name, index) => ({
            id: `measure ${index}`,
            label: name,
            align: 'right' as const,
            cell: (point: ChartPoint) => (
              <span className="mono">{point.values[index]?.toLocaleString('en') ?? 'NULL'}</span>
            ),
          })),
        ]}
        rows={points}
        keyOf={(point) => point.row}
      />
    </div>
  );
}
