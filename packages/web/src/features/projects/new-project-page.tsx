import { Button } from '@mantine/core';
import { createProject } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FlowPage } from '../../ui/flow-page.tsx';
import { useGo } from '../../ui/go.ts';
import { ProblemNote } from '../../ui/problem.tsx';
import { toastDone } from '../../ui/toast.tsx';
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx';
import { NeedsEditor } from '../session/needs-editor.tsx';
import { useRights } from '../session/use-rights.ts';

const parent = { to: paths.projects(), label: 'Projects' };

/** A name and a sentence; everything else can wait. */
export function NewProjectPage() {
  const { canWrite } = useRights();
  if (!canWrite) return <NeedsEditor title="New project" parent={parent} act="Creating projects" />;
  return <NewProject />;
}

function NewProject() {
  const go = useGo();
  const create = useChange(createProject);
  const form = useForm({
    schema: createProject.body,
    initial: { name: '', description: '' },
    toBody: ({ name, description }) => ({ name, description: description === '' ? null : description }),
    send: async (body) => {
      const project = await create.mutateAsync({ body });
      toastDone(`The project “${project.name}” was created.`);
      go(paths.project(project.projectId, { tab: 'sources' }), { isSaved: true });
    },
  });
  return (
    <FlowPage
      title="New project"
      parent={parent}
      intro="A project groups queries with the data sources that they read. It is open to everybody with a role at first; you can restrict it to its members."
    >
      <UnsavedGuard isDirty={form.isDirty} />
      <form className="stack" onSubmit={form.submit} noValidate>
        <ProblemNote error={form.refusal} />
        <TextField form={form} name="name" label="Name" autoFocus />
        <TextAreaField form={form} name="description" label="What it is for (optional)" />
        <div>
          <Button type="submit" variant="filled" loading={form.isSending}>
            Create project
          </Button>
        </div>
      </form>
    </FlowPage>
  );
}
