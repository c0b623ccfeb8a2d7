import { Button } from '@mantine/core';
import { type AiActor, replaceAiActor } from '@svc/contract';
import { useQueries } from '@tanstack/react-query';
import { paths } from '../../lib/paths.ts';
import { isRefusal, notFoundProblem } from '../../lib/problem.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { recipient } from '../../requests/recipients.ts';
import { ProblemNote, ProblemView } from '../../ui/feedback/problem.tsx';
import { PageSkeleton } from '../../ui/feedback/skeleton.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { FlowPage } from '../../ui/frame/flow-page.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import type { PickedRecipient } from '../../views/recipients/recipient-picker.tsx';
import { ActorFields } from './actor-fields.tsx';
import { useActorForm } from './actor-form.ts';
import { aiActor } from './requests/actors.ts';

/** Page that changes an actor. Its project and its data source cannot change. */
export function EditActorPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={aiActor(id)}>{(actor) => <WithRecipients key={actor.id} actor={actor} />}</Record>;
}

/** Loads the recipients, because the record contains only their ids and the form shows their names. */
function WithRecipients({ actor }: { readonly actor: AiActor }) {
  const results = useQueries({ queries: actor.defaultRecipientIds.map((id) => recipient(id)) });
  const failed = results.find(({ error }) => error !== null && !isRefusal(error, 'not-found'));
  if (failed) return <ProblemView isPage error={failed.error} onRetry={() => void failed.refetch()} />;
  if (results.some(({ isPending }) => isPending)) return <PageSkeleton />;
  return <EditActor actor={actor} recipients={results.flatMap(({ data }) => (data ? [data] : []))} />;
}

type Props = { readonly actor: AiActor; readonly recipients: readonly PickedRecipient[] };

function EditActor({ actor, recipients }: Props) {
  const go = useGo();
  const replace = useChange(replaceAiActor, { headers: () => ifUnchanged(form.version) });
  const form = useActorForm(actor, recipients, async (body) => {
    await replace.mutateAsync({ params: { id: actor.id }, body });
    toastDone('Actor saved.');
    go(paths.aiActor(actor.id), { isSaved: true });
  });
  return (
    <FlowPage
      title={`Edit ${actor.name}`}
      parent={{ to: paths.aiActor(actor.id), label: actor.name }}
      intro={`It works on ${actor.dataSourceName} in ${actor.projectName}. A plan that waits expires where the change touches whom it would tell.`}
    >
      <UnsavedGuard isDirty={form.isDirty} />
      <form className="stack" onSubmit={form.submit} noValidate>
        <ProblemNote error={form.refusal} />
        <ActorFields form={form} />
        <div>
          <Button
            type="submit"
            variant="filled"
            loading={form.isSending}
            disabled={!form.isDirty || !actor.canManage}
          >
            Save
          </Button>
        </div>
      </form>
    </FlowPage>
  );
}
