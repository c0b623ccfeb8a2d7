import { Button } from '@mantine/core';
import { CreateProjectBody, createProject } from '@svc/contract';
import { NeedsEditor } from '../../access/needs-editor.tsx';
import { useRights } from '../../access/use-rights.ts';
import { useForm } from '../../lib/form.ts';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { TextAreaField, TextField } from '../../ui/form/fields.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { FlowPage } from '../../ui/frame/flow-page.tsx';
import { useGo } from '../../ui/frame/go.ts';

const parent = { to: paths.projects(), label: 'Projects' };

/** Page that creates a project from a name and a description. */
export function NewProjectPage() {
  const { canWrite } = useRights();
  if (!canWrite) return <NeedsEditor title="New project" parent={parent} act="Creating projects" />;
  return <NewProject />;
}

function NewProject() {
  const go = useGo();
  const create = useChange(createProject);
  const form = useForm({
    schema: CreateProjectBody,
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
        <TextAreaField form={form} name="description" label="Description (optional)" />
        <div>
          <Button type="submit" variant="filled" loading={form.isSending}>
            Create project
          </Button>
        </div>
      </form>
    </FlowPage>
  );
}
