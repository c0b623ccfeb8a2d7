import { Button, Select } from '@mantine/core';
import { createAiActor } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { findProjects, linkedSources } from '../../requests/projects.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { FoundSelect } from '../../ui/form/found-select.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { FlowPage } from '../../ui/frame/flow-page.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { ActorFields } from './actor-fields.tsx';
import { type ActorForm, useNewActorForm } from './actor-form.ts';

/** Page that creates an actor. It thinks on request or by its schedule. Saving it calls no model. */
export function NewActorPage() {
  const go = useGo();
  const create = useChange(createAiActor);
  const form = useNewActorForm(async (body) => {
    const actor = await create.mutateAsync({ body });
    toastDone(`The actor “${actor.name}” was created. Have it think when you are ready.`);
    go(paths.aiActor(actor.id), { isSaved: true });
  });
  return (
    <FlowPage
      title="New AI actor"
      parent={{ to: paths.aiActors(), label: 'AI actors' }}
      intro="It reads the schema of one data source and proposes queries, subscriptions and data contracts as a plan. Somebody else approves the plan; it is then applied with your rights. You are responsible for what it creates."
    >
      <UnsavedGuard isDirty={form.isDirty} />
      <form className="stack" onSubmit={form.submit} noValidate>
        <ProblemNote error={form.refusal} />
        <Place form={form} />
        <ActorFields form={form} />
        <div>
          <Button type="submit" variant="filled" loading={form.isSending}>
            Create actor
          </Button>
        </div>
      </form>
    </FlowPage>
  );
}

/** Project and data source of the actor. Both cannot change after creation. */
function Place({ form }: { readonly form: ActorForm }) {
  const { projectId, dataSourceId } = form.values;
  const sources = useQuery({
    ...linkedSources(projectId?.id ?? 0, { pageSize: '200', sort: 'name' }),
    enabled: projectId !== null,
  });
  return (
    <>
      <FoundSelect
        label="Project"
        find={findProjects}
        value={projectId}
        error={form.errorOf('projectId')}
        onChange={(picked) => {
          form.set('projectId', picked);
          form.set('dataSourceId', null);
        }}
      />
      <Select
        label="Data source"
        description="Linked to the project."
        disabled={projectId === null}
        data={(sources.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={dataSourceId === null ? null : String(dataSourceId)}
        error={form.errorOf('dataSourceId')}
        onChange={(id) => form.set('dataSourceId', id === null ? null : Number(id))}
      />
    </>
  );
}
