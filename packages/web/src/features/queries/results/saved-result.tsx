import { Button } from '@mantine/core';
import type { ExportFormat, Query } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lastResult } from '../../../requests/runs/last-result.ts';
import { runSaved } from '../../../requests/runs/query-runs.ts';
import { useDownload } from '../../../ui/feedback/use-download.ts';
import { Icon } from '../../../ui/text/icons.tsx';
import { type ParameterValue, setValues } from '../../../views/query-run/parameter-values.ts';
import { ParametersPanel } from '../../../views/query-run/parameters-panel.tsx';
import { useRun } from '../../../views/query-run/use-run.ts';
import { KeptResult } from '../../../views/results/kept-result.tsx';
import classes from '../query-page.module.css';
import { downloadResult } from '../requests/download.ts';
import { ResultsPanel } from './results-panel.tsx';

/** Result of a query: the rows of the last storing run, or of a run by the user. */
export function SavedResult({ record }: { readonly record: Query }) {
  const stored = useQuery(lastResult(record.id)).data?.lastResult;
  const run = useRun();
  const [values, setValue] = useState<Readonly<{ [name: string]: ParameterValue }>>({});
  const download = useDownload<ExportFormat>((format, signal, onBytes) =>
    downloadResult(
      { id: record.id, format, parameters: setValues(values), name: record.name },
      signal,
      onBytes,
    ),
  );
  const begin = () =>
    void run.start((signal, runKey) =>
      runSaved(record.id, { parameters: setValues(values) }, runKey, signal),
    );
  return (
    <>
      <form
        className={classes['ask']}
        onSubmit={(event) => {
          event.preventDefault();
          begin();
        }}
      >
        {record.parameters.length > 0 && (
          <ParametersPanel
            parameters={record.parameters}
            values={values}
            onValue={(name, value) => setValue((before) => ({ ...before, [name]: value }))}
          />
        )}
        <Button type="submit" leftSection={<Icon name="run" />}>
          Run query
        </Button>
      </form>
      <div className={`panel ${classes['result']}`}>
        {run.state.kind === 'idle' && stored ? (
          <KeptResult kept={stored} presentVersion={record.versionNumber} />
        ) : (
          <ResultsPanel
            state={run.state}
            onStop={run.stop}
            download={download}
            queryId={record.id}
            hint="Run the query to see what it answers now."
          />
        )}
      </div>
    </>
  );
}
