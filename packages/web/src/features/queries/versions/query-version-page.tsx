import { Button } from '@mantine/core';
import type { Query, QueryVersion } from '@svc/contract';
import { useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { notFoundProblem } from '../../../lib/problem.ts';
import { query } from '../../../requests/queries.ts';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import { PageHeader } from '../../../ui/frame/page-header.tsx';
import { Detail } from '../../../ui/record/detail.tsx';
import { Facts } from '../../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../../ui/record/record.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { type ParameterValue, setValues } from '../../../views/query-run/parameter-values.ts';
import { ParametersPanel } from '../../../views/query-run/parameters-panel.tsx';
import { useRun } from '../../../views/query-run/use-run.ts';
import { runVersion, version } from '../requests/versions.ts';
import { ResultsPanel } from '../results/results-panel.tsx';
import { Comparison } from './comparison.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import classes from './version.module.css';
import { changeText, VersionStatus } from './version-words.tsx';

/** Page of one version of a query: its changes, its definition, and its present result. */
export function QueryVersionPage() {
  const id = useIdParam();
  const versionId = useIdParam('versionId');
  if (id === undefined || versionId === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return (
    <Record read={query(id)}>
      {(record) => (
        <Record read={version(versionId)}>
          {(shown) =>
            shown.queryId === record.id ? (
              <View key={shown.id} record={record} shown={shown} />
            ) : (
              <ProblemView isPage error={notFoundProblem()} />
            )
          }
        </Record>
      )}
    </Record>
  );
}

function View({ record, shown }: { readonly record: Query; readonly shown: QueryVersion }) {
  const [isRestoring, setRestoring] = useState(false);
  const isActive = shown.status === 'Active';
  return (
    <>
      <PageHeader
        title={`Version ${shown.versionNumber} of ${record.name}`}
        parent={{ to: paths.queryVersions(record.id), label: 'Versions' }}
        facts={<VersionStatus status={shown.status} />}
        actions={
          shown.canEdit &&
          !isActive && (
            <Button variant="filled" onClick={() => setRestoring(true)}>
              Restore
            </Button>
          )
        }
      />
      <Detail
        sections={[
          { id: 'changes', label: 'Changes', content: <Comparison shown={shown} /> },
          { id: 'text', label: 'Text', content: <Texts shown={shown} /> },
          { id: 'result', label: 'Result', content: <Result shown={shown} /> },
        ]}
        side={
          <Facts
            facts={[
              { label: 'What', value: changeText(shown) },
              { label: 'Why', value: shown.changeReason ?? <span className="soft">None</span> },
              { label: 'By', value: shown.createdByUserName ?? <span className="soft">The service</span> },
              { label: 'Saved', value: <Time at={shown.createdTime} /> },
            ]}
          />
        }
      />
      {isRestoring && <RestoreDialog record={record} shown={shown} onClose={() => setRestoring(false)} />}
    </>
  );
}

function Texts({ shown }: { readonly shown: QueryVersion }) {
  const texts = [
    ...shown.steps.map((step) => ({
      key: step.key,
      title: `${step.name ?? `step${step.order}`} on ${step.dataSourceName ?? 'a data source that is no longer linked'}`,
      sql: step.sql,
    })),
    ...(shown.finalQuery === null ? [] : [{ key: 'final', title: 'Final query', sql: shown.finalQuery }]),
  ];
  return texts.map((text) => (
    <section key={text.key} className="stack-tight">
      <h2>{text.title}</h2>
      <pre className={classes['sql']}>{text.sql}</pre>
    </section>
  ));
}

function Result({ shown }: { readonly shown: QueryVersion }) {
  const run = useRun();
  const [values, setValue] = useState<Readonly<{ [name: string]: ParameterValue }>>({});
  return (
    <>
      <form
        className="row wrap"
        onSubmit={(event) => {
          event.preventDefault();
          void run.start((signal, runKey) =>
            runVersion(shown.id, { parameters: setValues(values) }, runKey, signal),
          );
        }}
      >
        {shown.parameters.length > 0 && (
          <ParametersPanel
            parameters={shown.parameters}
            values={values}
            onValue={(name, value) => setValue((before) => ({ ...before, [name]: value }))}
          />
        )}
        <Button type="submit" leftSection={<Icon name="run" />}>
          Run this version
        </Button>
      </form>
      <div className={`panel ${classes['result']}`}>
        <ResultsPanel
          state={run.state}
          onStop={run.stop}
          queryId={shown.queryId}
          hint="Run this version to see what it finds today."
        />
      </div>
    </>
  );
}
