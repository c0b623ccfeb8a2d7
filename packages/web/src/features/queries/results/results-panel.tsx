import { Button, Loader, Menu } from '@mantine/core';
import type { ExportFormat, QueryPreview } from '@svc/contract';
import { useEffect, useMemo, useState } from 'react';
import { duration, plural, size } from '../../../lib/format.ts';
import { LazyPart, later } from '../../../ui/feedback/lazy-part.tsx';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import type { Download } from '../../../ui/feedback/use-download.ts';
import { Icon } from '../../../ui/text/icons.tsx';
import type { RunState } from '../../../views/query-run/use-run.ts';
import { rowsOf } from '../../../views/results/cells.ts';
import { expectGrid, ResultGrid } from '../../../views/results/later-grid.tsx';
import { usageWords } from '../../../views/runs/step-usage.ts';
import classes from './results-panel.module.css';

const chartPart = later(() => import('./result-chart.tsx').then((module) => module.ResultChart));

type Props = {
  readonly state: RunState;
  readonly onStop: () => void;
  /** Undefined: the query is not saved, so its whole result is not available as a file. */
  readonly download?: Download<ExportFormat> | undefined;
  /** Saved query of the result. */
  readonly queryId?: number | undefined;
  readonly hint: string;
};

type View = 'table' | 'chart';

/** Result of a run: table or chart, sizes, and the download. */
export function ResultsPanel({ state, onStop, download, queryId, hint }: Props) {
  const [view, setView] = useState<View>('table');
  const [focusRow, setFocusRow] = useState<number | undefined>(undefined);
  const result = resultOf(state);
  useEffect(() => {
    if (state.kind === 'running') expectGrid();
  }, [state.kind]);
  return (
    <section className={classes['panel']} aria-label="Result">
      <div className={classes['bar']}>
        <ViewChoice view={view} hasResult={result !== undefined} onView={setView} />
        <span role="status" className="soft truncate">
          <Outcome state={state} />
        </span>
        <span className="grow" />
        <Stop state={state} onStop={onStop} />
        {result && <DownloadMenu download={download} />}
      </div>
      {result && <PartNote result={result} canDownload={download !== undefined} />}
      <div className={classes['content']}>
        {state.kind === 'failed' ? (
          <div style={{ padding: 12 }}>
            <ProblemNote error={state.error} />
          </div>
        ) : result === undefined ? (
          <p className={classes['hint']}>
            {state.kind === 'running' ? <Loader size="sm" aria-label="Running" /> : hint}
          </p>
        ) : (
          <ResultRows
            result={result}
            view={view}
            focusRow={focusRow}
            queryId={queryId}
            onOpenRow={(row) => {
              setFocusRow(row);
              setView('table');
            }}
            onMissing={() => setView('table')}
          />
        )}
      </div>
    </section>
  );
}

type ChoiceProps = {
  readonly view: View;
  readonly hasResult: boolean;
  readonly onView: (view: View) => void;
};

const ViewChoice = ({ view, hasResult, onView }: ChoiceProps) => (
  <fieldset className={classes['views']} aria-label="Show as">
    <button type="button" aria-pressed={view === 'table'} onClick={() => onView('table')}>
      <Icon name="table" size={14} /> Table
    </button>
    <button
      type="button"
      aria-pressed={view === 'chart'}
      disabled={!hasResult}
      onClick={() => onView('chart')}
    >
      <Icon name="chart" size={14} /> Chart
    </button>
  </fieldset>
);

type NoteProps = { readonly result: QueryPreview; readonly canDownload: boolean };

/** States which rows the panel has, if the result has more. */
function PartNote({ result, canDownload }: NoteProps) {
  const part = partOf(result);
  if (part === undefined || result.rows.length === 0) return null;
  return (
    <p className={classes['part']}>
      <Icon name="about" size={14} /> Sorting, statistics, copying and charts cover {part}.{' '}
      {canDownload ? 'Download the result for all of them.' : 'Save the query to download all of them.'}
    </p>
  );
}

type RowsProps = {
  readonly result: QueryPreview;
  readonly view: View;
  readonly focusRow: number | undefined;
  readonly queryId: number | undefined;
  /** Shows a row of the chart in the table. */
  readonly onOpenRow: (row: number) => void;
  /** Called if the code of the chart does not load. */
  readonly onMissing: () => void;
};

/** Rows of a result as a table or as a chart. */
function ResultRows({ result, view, focusRow, queryId, onOpenRow, onMissing }: RowsProps) {
  const { columns } = result;
  const rows = useMemo(() => rowsOf(result), [result]);
  if (rows.length === 0) return <p className={classes['hint']}>The statement ran and answered no rows.</p>;
  if (view === 'table')
    return (
      <ResultGrid
        key={focusRow}
        label="Result"
        columns={columns}
        rows={rows}
        part={partOf(result)}
        focusRow={focusRow}
      />
    );
  return (
    <LazyPart code={chartPart} fallback={<p className={classes['hint']}>Drawing…</p>} onMissing={onMissing}>
      {(ResultChart) => <ResultChart columns={columns} rows={rows} queryId={queryId} onOpenRow={onOpenRow} />}
    </LazyPart>
  );
}

function resultOf(state: RunState): QueryPreview | undefined {
  if (state.kind === 'done') return state.result;
  return state.kind === 'failed' || state.kind === 'idle' ? undefined : state.last;
}

/** Describes the number of rows shown, if the result has more. Undefined if all rows are shown. */
function partOf({ rows, totalCount, isComplete }: QueryPreview): string | undefined {
  return isComplete && rows.length >= totalCount ? undefined : `the first ${plural(rows.length, 'row')}`;
}

function Stop({ state, onStop }: Pick<Props, 'state' | 'onStop'>) {
  if (state.kind !== 'running') return null;
  return (
    <Button color="red" leftSection={<Icon name="stop" />} onClick={onStop} disabled={state.isStopping}>
      {state.isStopping ? 'Stopping…' : 'Stop'}
    </Button>
  );
}

/** Step for rounding a count that was aborted. */
const countedSteps = 1_000;

function Outcome({ state }: { readonly state: RunState }) {
  if (state.kind === 'running') return <Running since={state.since} />;
  if (state.kind === 'stopped') {
    return state.isConfirmed
      ? 'Stopped. The service confirms that the data source has ended it.'
      : 'Stopped here. The service did not confirm it in time; it ends what nobody waits for.';
  }
  if (state.kind !== 'done') return '';
  const { result } = state;
  const total = result.isComplete
    ? plural(result.totalCount, 'row')
    : `more than ${plural(Math.floor(result.totalCount / countedSteps) * countedSteps, 'row')}`;
  const masked = result.columns.filter((column) => column.isMasked);
  const reasons = masked.map(({ name, maskedReason }) => `${name}: ${maskedReason ?? ''}`).join('\n');
  return (
    <>
      <span className="mono">{total}</span> in{' '}
      <span className="mono">{duration(result.executionTimeMs)}</span>
      {usageWords(result.steps).map((text) => `, ${text}`)}
      {masked.length > 0 && (
        <>
          , <span title={reasons}>{plural(masked.length, 'column')} masked</span>
        </>
      )}
    </>
  );
}

const tickMs = 250;

function Running({ since }: { readonly since: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), tickMs);
    return () => window.clearInterval(timer);
  }, []);
  return (
    <>
      Running <span className="mono">{((now - since) / 1_000).toFixed(1)} s</span>
    </>
  );
}

function DownloadMenu({ download }: Pick<Props, 'download'>) {
  if (download?.bytes !== undefined) {
    return (
      <Button color="red" leftSection={<Icon name="stop" />} onClick={download.stop}>
        Stop the download ({size(download.bytes)})
      </Button>
    );
  }
  const item = (format: ExportFormat, label: string) => (
    <Menu.Item disabled={!download} onClick={() => download?.start(format)}>
      {label}
    </Menu.Item>
  );
  return (
    <Menu>
      <Menu.Target>
        <Button leftSection={<Icon name="download" />}>Download</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {download ? 'Runs it again, for the whole result' : 'Save the query to download its whole result.'}
        </Menu.Label>
        {item('Csv', 'CSV')}
        {item('Xlsx', 'Excel (XLSX)')}
        {item('Json', 'JSON')}
      </Menu.Dropdown>
    </Menu>
  );
}
