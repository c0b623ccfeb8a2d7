import { Button, TextInput } from '@mantine/core';
import { createDataSource, testConnection } from '@svc/contract';
import type { FormEvent } from 'react';
import { useRights } from '../../../access/use-rights.ts';
import { paths } from '../../../lib/paths.ts';
import { useChange } from '../../../lib/server-state.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../../ui/feedback/toast.tsx';
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx';
import { useAddress } from '../../../ui/frame/address.ts';
import { FlowPage } from '../../../ui/frame/flow-page.tsx';
import { useGo } from '../../../ui/frame/go.ts';
import { ConnectionForm } from '../connection/connection-form.tsx';
import { TestResult } from '../connection/test-result.tsx';
import { EngineChoice } from './engine-choice.tsx';
import { ProjectChoice } from './project-choice.tsx';
import { readOnlyText } from './read-only-texts.ts';
import { useProjectLink } from './use-project-link.ts';
import { type SourceDraft, useSourceDraft } from './use-source-draft.ts';

/** Page that connects a data source: engine, connection settings, test, and the project that may use it. */
export function NewDataSource() {
  const { canWrite } = useRights();
  const draft = useSourceDraft();
  const project = useProjectLink();
  const { testNow, isTesting, save, isSaving } = useRequests(draft, project.linkTo);
  return (
    <FlowPage
      title="Connect a data source"
      parent={{ to: paths.dataSources(), label: 'Data sources' }}
      intro={`Use an account that can only read what queries need. ${readOnlyText(draft.engine)}`}
    >
      <UnsavedGuard isDirty={draft.name !== '' || draft.engine !== null} />
      <form className="stack" onSubmit={save} noValidate>
        <ProblemNote error={draft.enginesError} />
        <EngineChoice engines={draft.engines} value={draft.engine} onChange={draft.chooseEngine} />
        {draft.kind && (
          <>
            <TextInput
              label="Name"
              description="The name people find it by."
              value={draft.name}
              error={draft.errors['name']}
              onChange={(event) => draft.changeName(event.currentTarget.value)}
            />
            <ConnectionForm
              schema={draft.kind.settingsSchema}
              secretFields={draft.kind.secretFields}
              values={draft.connection}
              onChange={draft.changeConnection}
              errors={draft.errors}
            />
            {canWrite && (
              <ProjectChoice projects={project.writable} value={project.choice} onChange={project.choose} />
            )}
            {draft.testResult && <TestResult result={draft.testResult} />}
            {/* The error is next to its button, because the form is longer than a screen. */}
            <ProblemNote error={draft.refusal} />
            <div className="row wrap">
              <Button type="button" onClick={testNow} loading={isTesting}>
                Test connection
              </Button>
              <Button type="submit" variant="filled" loading={isSaving}>
                Connect
              </Button>
            </div>
          </>
        )}
      </form>
    </FlowPage>
  );
}

/** Requests of the page: the connection test and the creation. */
function useRequests(draft: SourceDraft, linkTo: (dataSourceId: number) => Promise<void>) {
  const go = useGo();
  const isForAlert = useAddress()[0]['next'] === 'first-alert';
  const { canRead } = useRights();
  const test = useChange(testConnection);
  const create = useChange(createDataSource);
  const { engine, connection } = draft.body;
  return {
    isTesting: test.isPending,
    isSaving: create.isPending,
    testNow: () =>
      void draft.attempt(async () => {
        draft.setTestResult(null);
        draft.setTestResult(await test.mutateAsync({ body: { engine, connection } }));
      }, false),
    save: (event: FormEvent) => {
      event.preventDefault();
      draft.setTestResult(null);
      void draft.attempt(async () => {
        const source = await create.mutateAsync({ body: draft.body });
        await linkTo(source.id).catch(toastProblem);
        toastDone(`“${source.name}” was connected.`);
        go(placeAfter(source.id, isForAlert, canRead), { isSaved: true });
      }, true);
    },
  };
}

/** Returns the path after creation: the flow that requested the data source, or the page of the data source. */
function placeAfter(id: number, isForAlert: boolean, canRead: boolean): string {
  if (isForAlert) return paths.firstAlert({ dataSourceId: id });
  return canRead ? paths.dataSource(id) : paths.dataSources();
}
