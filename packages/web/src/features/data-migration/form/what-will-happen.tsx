import { Button } from '@mantine/core';
import type { MigrationPreviewInput } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '../../../lib/format.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { Bar } from '../../../ui/feedback/skeleton.tsx';
import { rowsOf } from '../../../views/results/cells.ts';
import { ResultGrid } from '../../../views/results/later-grid.tsx';
import { whatWillHappen } from '../job-words.ts';
import { migrationPreview } from '../requests/migrations.ts';
import { Issues, Verdict } from '../validation.tsx';
import type { JobValues } from './job-form.ts';
import type { Preview } from './preview.ts';

type Props = { readonly values: JobValues; readonly preview: Preview };

/** Effect of a job with the present form values, and its obstacles, before the job is saved. */
export function WhatWillHappen({ values, preview }: Props) {
  const { body, data, error, isFetching, askAgain } = preview;
  if (!body) return <p className="soft">Choose a source to see what would happen.</p>;
  if (error) {
    return (
      <div className="stack-tight" role="status">
        <ProblemNote error={error} />
        <div>
          <Button size="compact-sm" loading={isFetching} onClick={askAgain}>
            Check again
          </Button>
        </div>
      </div>
    );
  }
  if (!data) return <Bar width="60%" />;
  const { validation } = data;
  const incremental = values.incremental.column === '' ? null : values.incremental;
  return (
    <>
      <div className="stack-tight" role="status">
        {validation ? (
          <>
            <Verdict isOk={validation.isOk} />
            <p>{whatWillHappen({ ...values, incremental }, validation)}</p>
          </>
        ) : (
          <p className="soft">
            {plural(data.sourceColumns.length, 'column')} would be read. Name where they go.
          </p>
        )}
      </div>
      {validation && <Issues issues={validation.issues} />}
      <FirstRows key={JSON.stringify(body.source)} body={body} />
    </>
  );
}

/** First rows of the source. They load only on request, because the service audits each display of rows. */
function FirstRows({ body: { dataSourceId, source } }: { readonly body: MigrationPreviewInput }) {
  const [isWanted, setWanted] = useState(false);
  const preview = useQuery({
    ...migrationPreview({ dataSourceId, source, withRows: true }),
    enabled: isWanted,
  });
  if (!isWanted) {
    return (
      <div>
        <Button size="compact-sm" onClick={() => setWanted(true)}>
          Show the first rows
        </Button>
      </div>
    );
  }
  if (preview.error) return <ProblemNote error={preview.error} />;
  const rows = preview.data?.rows;
  if (!rows) return <Bar width="80%" />;
  return (
    <div className="stack-tight">
      <p className="soft">
        {rows.isComplete ? plural(rows.rows.length, 'row') : `The first ${plural(rows.rows.length, 'row')}`},
        with personal data masked.
      </p>
      <ResultGrid label="First rows" columns={rows.columns} rows={rowsOf(rows)} />
    </div>
  );
}
