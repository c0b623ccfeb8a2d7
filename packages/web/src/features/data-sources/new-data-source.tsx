import { Button, TextInput } from '@mantine/core';
import {
  type ConnectionTestResult,
  CreateDataSourceBody,
  createDataSource,
  createProject,
  linkProjectDataSource,
  testConnection,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { checkedParts, type Errors, focusFirstError, refusedParts, within } from '../../lib/form.ts';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { projects } from '../../requests/projects.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import { FlowPage } from '../../ui/frame/flow-page.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { type ConnectionValues, initialValues, missingFields } from './connection-fields.ts';
import { ConnectionForm } from './connection-form.tsx';
import { EngineChoice } from './engine-choice.tsx';
import { type ChosenProject, ProjectChoice, projectOf } from './project-choice.tsx';
import { engines } from './requests/engines.ts';
import { TestResult } from './test-result.tsx';

/** Proposed name if no project exists yet. */
const firstProjectName = 'First project';

/** Explains how the engine prevents writing statements. */
const readOnlyWords = (engine: string | null): string => {
  if (engine === 'Rest') return 'An API is asked by GET alone: that this changes nothing is up to the API.';
  if (engine === 'SqlServer')
    return 'SQL Server has no read-only transactions: a login that may write is refused. This engine is not run against the service itself in our tests.';
  if (engine === 'Snowflake')
    return 'Snowflake has no read-only sessions: a role that may write is refused, and a statement runs once Snowflake has compiled it as a query. This engine is not run against the service itself in our tests.';
  if (engine === 'Databricks')
    return 'Databricks has no read-only sessions: a login that may write is refused, and a statement runs once Databricks has compiled it as a query. This engine is not run against the service itself in our tests.';
  if (engine === 'BigQuery')
    return 'A statement runs once BigQuery has said that it is a SELECT, by a token that may only read. This engine is not run against the service itself in our tests.';
  return 'Statements run read-only in any case.';
};

/** Page that connects a data source: engine, connection settings, test, and the project that may use it. */
export function NewDataSource() {
  const go = useGo();
  const isForAlert = useAddress()[0]['next'] === 'first-alert';
  const kinds = useQuery(engines);
  const rights = useRights();
  const own = useQuery({ ...projects({ pageSize: '200', sort: 'name' }), enabled: rights.canWrite });
  const makeProject = useChange(createProject);
  const create = useChange(createDataSource);
  const link = useChange(linkProjectDataSource);
  const test = useChange(testConnection);
  const [engine, setEngine] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [chosen, setProject] = useState<ChosenProject | null>(null);
  const [connection, setConnection] = useState<ConnectionValues>({});
  /** Errors by field name: `name`, or a setting of the connection. */
  const [errors, setErrors] = useState<Errors>({});
  const [error, setError] = useState<unknown>(null);
  const [result, setResult] = useState<ConnectionTestResult | null>(null);
  const kind = kinds.data?.engines.find((each) => each.engine === engine);
  const writable = (own.data?.items ?? []).filter((project) => project.right !== 'Read');
  // A single writable project is preselected.
  const only = writable.length === 1 ? String(writable[0]?.id) : null;
  const project = chosen ?? { id: only, newName: firstProjectName };

  const choose = (wanted: string) => {
    setEngine(wanted);
    setResult(null);
    setErrors({});
    setConnection(initialValues(kinds.data?.engines.find((each) => each.engine === wanted)?.settingsSchema));
  };
  const body = { name: name.trim(), engine: engine ?? '', connection };
  const refuse = (newErrors: Errors) => {
    setErrors(newErrors);
    if (Object.keys(newErrors).length > 0) focusFirstError();
  };
  const attempt = async (work: () => Promise<void>, needsName: boolean) => {
    const { name: nameError } = needsName ? await checkedParts(CreateDataSourceBody, body) : {};
    const missing = {
      ...missingFields(kind?.settingsSchema, connection),
      ...(nameError !== undefined && { name: nameError }),
    };
    refuse(missing);
    setError(null);
    if (Object.keys(missing).length > 0) return;
    try {
      await work();
    } catch (reason) {
      const { name: refusedName, ...refused } = refusedParts(reason);
      const settings = within(refused, 'connection');
      refuse({ ...settings, ...(refusedName !== undefined && { name: refusedName }) });
      const isAllShown =
        (refusedName !== undefined || Object.keys(refused).length > 0) &&
        Object.keys(settings).length === Object.keys(refused).length;
      setError(isAllShown ? null : reason);
    }
  };
  const tryIt = () =>
    void attempt(async () => {
      setResult(null);
      setResult(await test.mutateAsync({ body: { engine: engine ?? '', connection } }));
    }, false);
  const linkTo = async (dataSourceId: number) => {
    const wanted = rights.canWrite ? projectOf(project, writable.length > 0) : null;
    if (wanted === null) return;
    const id = 'id' in wanted ? wanted.id : (await makeProject.mutateAsync({ body: wanted })).projectId;
    await link.mutateAsync({ params: { id }, body: { dataSourceId } });
  };
  const save = (event: React.FormEvent) => {
    event.preventDefault();
    setResult(null);
    void attempt(async () => {
      const source = await create.mutateAsync({ body });
      await linkTo(source.id).catch(toastProblem);
      toastDone(`“${source.name}” was connected.`);
      go(placeAfter(source.id, isForAlert, rights.canRead), { isSaved: true });
    }, true);
  };

  return (
    <FlowPage
      title="Connect a data source"
      parent={{ to: paths.dataSources(), label: 'Data sources' }}
      intro={`Use an account that can only read what queries need. ${readOnlyWords(engine)}`}
    >
      <UnsavedGuard isDirty={name !== '' || engine !== null} />
      <form className="stack" onSubmit={save} noValidate>
        <ProblemNote error={kinds.error} />
        <EngineChoice engines={kinds.data?.engines} value={engine} onChange={choose} />
        {kind && (
          <>
            <TextInput
              label="Name"
              description="The name people find it by."
              value={name}
              error={errors['name']}
              onChange={(event) => {
                setName(event.currentTarget.value);
                setErrors(({ name: _gone, ...rest }) => rest);
              }}
            />
            <ConnectionForm
              schema={kind.settingsSchema}
              secretFields={kind.secretFields}
              values={connection}
              onChange={(values) => {
                setConnection(values);
                setResult(null);
                setErrors((before) =>
                  Object.fromEntries(
                    Object.entries(before).filter(([field]) => values[field] === connection[field]),
                  ),
                );
              }}
              errors={errors}
            />
            {rights.canWrite && <ProjectChoice projects={writable} value={project} onChange={setProject} />}
            {result && <TestResult result={result} />}
            {/* The error is next to its button, because the form is longer than a screen. */}
            <ProblemNote error={error} />
            <div className="row wrap">
              <Button type="button" onClick={tryIt} loading={test.isPending}>
                Test connection
              </Button>
              <Button type="submit" variant="filled" loading={create.isPending}>
                Connect
              </Button>
            </div>
          </>
        )}
      </form>
    </FlowPage>
  );
}

/** Returns the path after creation: the flow that requested the data source, or the page of the data source. */
function placeAfter(id: number, isForAlert: boolean, canRead: boolean): string {
  if (isForAlert) return paths.firstAlert({ dataSourceId: id });
  return canRead ? paths.dataSource(id) : paths.dataSources();
}
