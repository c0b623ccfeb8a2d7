import { Button, Select, TextInput } from '@mantine/core';
import {
  type ConnectionTestResult,
  createDataSource,
  linkProjectDataSource,
  testConnection,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { ProblemError } from '../../lib/problem.ts';
import { useChange } from '../../lib/server-state.ts';
import { FlowPage } from '../../ui/flow-page.tsx';
import { useGo } from '../../ui/go.ts';
import { ProblemNote } from '../../ui/problem.tsx';
import { toastDone } from '../../ui/toast.tsx';
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx';
import { projects } from '../projects/requests/projects.ts';
import { type ConnectionValues, initialValues, missingFields } from './connection-fields.ts';
import { ConnectionForm } from './connection-form.tsx';
import { engines } from './requests/engines.ts';
import { TestResult } from './test-result.tsx';

const fieldErrors = (error: unknown): Readonly<{ [field: string]: string }> =>
  error instanceof ProblemError
    ? Object.fromEntries(
        (error.problem.errors ?? []).map((entry) => [
          entry.path.split('/').at(-1) ?? '',
          `This ${entry.message}.`,
        ]),
      )
    : {};

/** Connecting a data source: what it is, how to reach it, a try, and the project that may use it. */
export function NewDataSource() {
  const go = useGo();
  const kinds = useQuery(engines);
  const own = useQuery(projects({ pageSize: '200', sort: 'name' }));
  const create = useChange(createDataSource);
  const link = useChange(linkProjectDataSource);
  const test = useChange(testConnection);
  const [engine, setEngine] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [projectId, setProjectId] = useState<string | null>(null);
  const [connection, setConnection] = useState<ConnectionValues>({});
  const [errors, setErrors] = useState<Readonly<{ [field: string]: string }>>({});
  const [error, setError] = useState<unknown>(null);
  const [result, setResult] = useState<ConnectionTestResult | null>(null);
  const kind = kinds.data?.engines.find((each) => each.engine === engine);
  const writable = (own.data?.items ?? []).filter((project) => project.right !== 'Read');

  const choose = (chosen: string | null) => {
    setEngine(chosen);
    setResult(null);
    setErrors({});
    setConnection(initialValues(kinds.data?.engines.find((each) => each.engine === chosen)?.settingsSchema));
  };
  const attempt = async (work: () => Promise<void>, needsName: boolean) => {
    const missing = {
      ...missingFields(kind?.settingsSchema, connection),
      ...(needsName && name.trim() === '' && { name: 'Fill this in.' }),
    };
    setErrors(missing);
    setError(null);
    if (Object.keys(missing).length > 0) {
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    try {
      await work();
    } catch (reason) {
      setErrors(fieldErrors(reason));
      setError(reason);
    }
  };
  const tryIt = () =>
    void attempt(async () => {
      setResult(null);
      setResult(await test.mutateAsync({ body: { engine: engine ?? '', connection } }));
    }, false);
  const save = (event: React.FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const source = await create.mutateAsync({
        body: { name: name.trim(), engine: engine ?? '', connection },
      });
      if (projectId !== null)
        await link.mutateAsync({ params: { id: Number(projectId) }, body: { dataSourceId: source.id } });
      toastDone(`“${source.name}” was connected.`);
      go(paths.dataSource(source.id), { isSaved: true });
    }, true);
  };

  return (
    <FlowPage
      title="Connect a data source"
      parent={{ to: paths.dataSources(), label: 'Data sources' }}
      intro="Use an account that may only read what queries need. Statements run read-only here in any case."
    >
      <UnsavedGuard isDirty={name !== '' || engine !== null} />
      <form className="stack" onSubmit={save} noValidate>
        <ProblemNote error={error ?? kinds.error} />
        <Select
          label="What is it?"
          placeholder="Engine"
          data={(kinds.data?.engines ?? []).map((each) => ({ value: each.engine, label: each.label }))}
          value={engine}
          onChange={choose}
          autoFocus
        />
        {kind && (
          <>
            <TextInput
              label="Name"
              description="As people will find it."
              value={name}
              error={errors['name']}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <ConnectionForm
              schema={kind.settingsSchema}
              secretFields={kind.secretFields}
              values={connection}
              onChange={(values) => {
                setConnection(values);
                setResult(null);
              }}
              errors={errors}
            />
            <Select
              label="Project that may use it (optional)"
              description="Queries of a project read the data sources that are linked to it."
              placeholder={writable.length === 0 ? 'There is no project yet' : 'None yet'}
              data={writable.map((project) => ({ value: String(project.id), label: project.name }))}
              value={projectId}
              onChange={setProjectId}
              clearable
            />
            {result && <TestResult result={result} />}
            <div className="row wrap">
              <Button type="button" onClick={tryIt} loading={test.isPending}>
                Try the connection
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
